package dev.shelfmark.bench;

import dev.shelfmark.compat.broker.OrphanGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs {@link Probe} in JVMs of its own, with the collector of a broker. */
final class ProbeJvm {

    private static final Duration LIMIT = Duration.ofMinutes(40);
    private static final int TAIL = 30;

    private final Path directory;
    private final long heapMib;
    private int number;

    /**
     * Runs them in a directory.
     *
     * @param heapMib the most that each may take, the same for both sides
     */
    ProbeJvm(Path directory, long heapMib) {
        this.directory = directory;
        this.heapMib = heapMib;
    }

    /** What a JVM measures; fails when it fails, with what it said. */
    Map<String, Double> run(Measurement measurement, Settings settings) {
        String name = ++number + "-" + measurement;
        Path told = directory.resolve(name + ".properties");
        Path answer = directory.resolve(name + ".results");
        Path log = directory.resolve(name + ".log");
        Path collector = directory.resolve(name + ".gc");
        settings.with(Probe.MEASUREMENT, measurement.name()).write(told);
        try {
            Process process = new ProcessBuilder(command(told, answer, collector))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            if (!process.waitFor(LIMIT.toMinutes(), TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new IllegalStateException(measurement + " did not end within " + LIMIT + said(log));
            }
            if (process.exitValue() != 0) {
                throw new IllegalStateException(
                        measurement + " of " + settings.text(Probe.SIDE) + " failed" + said(log));
            }
            Map<String, Double> results = Settings.read(answer).numbers();
            results.put(measurement.name().toLowerCase(Locale.ROOT) + ".peak-mib", CollectorLog.peakMib(collector));
            return results;
        } catch (IOException e) {
            throw new UncheckedIOException("can't run " + measurement, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted during " + measurement, e);
        }
    }

    private List<String> command(Path told, Path answer, Path collector) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx" + heapMib + "m");
        command.addAll(List.of("-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20", "-XX:InitiatingHeapOccupancyPercent=35"));
        command.add(CollectorLog.option(collector));
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), OrphanGuard.class.getName()));
        command.addAll(List.of(Probe.class.getName(), told.toString(), answer.toString()));
        return command;
    }

    private static String said(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log, java.nio.charset.StandardCharsets.ISO_8859_1);
        return ":\n" + String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
    }
}
