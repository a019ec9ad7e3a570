package dev.shelfmark.compat.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * The {@code shelfmark} command that the build has packed, as processes of its own.
 *
 * @param directory for its configuration and what it prints
 * @param bootstrapServers of the cluster
 */
public record ShelfmarkCommand(Path directory, String bootstrapServers) {

    private static final Duration LIMIT = Duration.ofMinutes(3);

    /** With the store's settings. */
    public static ShelfmarkCommand in(Path directory, Map<String, String> settings, String bootstrapServers) {
        Properties file = new Properties();
        file.putAll(settings);
        try {
            Files.createDirectories(directory);
            try (Writer writer = Files.newBufferedWriter(directory.resolve("owner.properties"))) {
                file.store(writer, null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can't configure the command in " + directory, e);
        }
        return new ShelfmarkCommand(directory, bootstrapServers);
    }

    /** What became of a run. */
    public record Result(int exit, String output) {}

    /** One that runs. */
    public static final class Run {
        private final String name;
        private final ChildProcess process;
        private final Path output;

        private Run(String name, ChildProcess process, Path output) {
            this.name = name;
            this.process = process;
            this.output = output;
        }

        /** What it has printed. */
        public String output() {
            try {
                return Files.readString(output, StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException("can't read " + output, e);
            }
        }

        /** Waits until it has printed something. */
        public Run awaitOutput(String text) {
            Awaitility.await(name + " to print '" + text + "'")
                    .atMost(LIMIT)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> {
                        if (!process.alive() && !output().contains(text)) {
                            throw new IllegalStateException(name + " ended:\n" + output());
                        }
                        return output().contains(text);
                    });
            return this;
        }

        /** SIGKILL. */
        public void kill() {
            process.kill();
        }

        /** SIGTERM, and waits for its end. */
        public void stop() {
            process.terminate(LIMIT);
        }

        /** Waits for its end. */
        public Result await() {
            int exit = process.awaitExit(LIMIT);
            return new Result(exit, output());
        }
    }

    /** Starts a subcommand that needs brokers. */
    public Run start(String... arguments) {
        return start(true, arguments);
    }

    private Run start(boolean brokers, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(launcher().toString());
        command.addAll(List.of(arguments));
        command.add("--config");
        command.add(directory.resolve("owner.properties").toString());
        if (brokers) {
            command.add("--bootstrap-server");
            command.add(bootstrapServers);
        }
        try {
            Path output = Files.createTempFile(directory, arguments[0] + "-", ".out");
            return new Run(
                    "shelfmark " + arguments[0],
                    ChildProcess.start("shelfmark " + arguments[0], command, output, false, directory),
                    output);
        } catch (IOException e) {
            throw new UncheckedIOException("can't run " + command, e);
        }
    }

    /** Runs a subcommand to its end. */
    public Result run(String... arguments) {
        return start(arguments).await();
    }

    /** Runs a subcommand that asks no broker to its end. */
    public Result ask(String... arguments) {
        return start(false, arguments).await();
    }

    /** Runs a subcommand that asks only the store, and must succeed; what it printed. */
    public String withoutBrokers(String... arguments) {
        Result result = ask(arguments);
        if (result.exit() != 0) {
            throw new IllegalStateException(String.join(" ", arguments) + " failed:\n" + result.output());
        }
        return result.output();
    }

    /** Where the command is. */
    public static Path launcher() {
        Path target = KafkaDistribution.module()
                .toAbsolutePath()
                .resolveSibling("migration-tool")
                .resolve("target");
        try (Stream<Path> entries = Files.list(target)) {
            return entries.map(entry -> entry.resolve("bin").resolve("shelfmark"))
                    .filter(Files::isExecutable)
                    .max(Comparator.naturalOrder())
                    .orElseThrow(() -> new IllegalStateException("no shelfmark command in " + target
                            + "; build it with: mvn -pl migration-tool -am -DskipTests package"));
        } catch (IOException e) {
            throw new UncheckedIOException("can't list " + target, e);
        }
    }
}
