package dev.shelfmark.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** {@code shelfmark import} of a broker's whole history, by the command as it is shipped. */
final class Import {

    private static final long LIMIT_MINUTES = 60;

    private Import() {}

    /** How long it took, JVM and all, and how much heap it needed. */
    static Map<String, Double> run(Path directory, Map<String, String> owner, TestBed.Brokers brokers, long heapMib) {
        Path config = directory.resolve("import.properties");
        Path collector = directory.resolve("import.gc");
        Path log = directory.resolve("import.log");
        new Settings(owner).write(config);
        ProcessBuilder builder = new ProcessBuilder(
                        command().toString(),
                        "import",
                        "--config",
                        config.toString(),
                        "--bootstrap-server",
                        brokers.cluster().bootstrapServers(),
                        "--skipped-events",
                        directory.resolve("skipped.jsonl").toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("SHELFMARK_JAVA_OPTS", "-Xmx" + heapMib + "m " + CollectorLog.option(collector));
        long began = System.nanoTime();
        try {
            Process process = builder.start();
            boolean ended = process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
            double millis = (System.nanoTime() - began) / 1e6;
            if (!ended || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IllegalStateException("the import failed:\n" + Files.readString(log, StandardCharsets.UTF_8));
            }
            Map<String, Double> results = new TreeMap<>();
            results.put("import.ms", millis);
            results.put("import.peak-mib", CollectorLog.peakMib(collector));
            return results;
        } catch (IOException e) {
            throw new UncheckedIOException("can't run the import", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted during the import", e);
        }
    }

    /** As the build lays it out. */
    private static Path command() {
        Path target = checkout().resolve("migration-tool").resolve("target");
        try (Stream<Path> entries = Files.list(target)) {
            return entries.map(entry -> entry.resolve("bin").resolve("shelfmark"))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("the shelfmark command is not built in " + target));
        } catch (IOException e) {
            throw new UncheckedIOException("can't list " + target, e);
        }
    }

    /** Three levels above {@code compat-tests/target/classes}. */
    private static Path checkout() {
        try {
            return Path.of(Import.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .resolve("../../..")
                    .normalize();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("this module's classes have no place", e);
        }
    }
}
