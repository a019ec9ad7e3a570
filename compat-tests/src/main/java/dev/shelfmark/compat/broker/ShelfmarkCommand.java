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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The {@code shelfmark} command as the build packs it, each run in a process of its own, as an operator runs it. */
public final class ShelfmarkCommand {

    private static final Duration LIMIT = Duration.ofMinutes(3);

    private final Path script;
    private final Path directory;
    private final Path config;
    private final AtomicInteger runs = new AtomicInteger();

    /**
     * A command with its configuration file.
     *
     * @param directory exists; for the file, for what runs print, and their working directory
     * @param settings what the file holds: the store and how to reach it
     */
    public ShelfmarkCommand(Path directory, Map<String, String> settings) {
        this.script = distribution().resolve("bin").resolve("shelfmark");
        this.directory = directory;
        this.config = directory.resolve("shelfmark.properties");
        Properties file = new Properties();
        file.putAll(settings);
        try (Writer writer = Files.newBufferedWriter(config)) {
            file.store(writer, null);
        } catch (IOException e) {
            throw new UncheckedIOException("can't write " + config, e);
        }
    }

    /**
     * What a run came to.
     *
     * @param exit its exit code
     * @param output what it printed, errors included
     */
    public record Result(int exit, String output) {

        /** Fails when the command did. */
        public Result succeeded() {
            if (exit != 0) {
                throw new AssertionError("the command failed with exit code " + exit + ":\n" + output);
            }
            return this;
        }
    }

    /** Runs it to its end. The option {@code --config} is added. */
    public Result run(String... arguments) {
        return start(arguments).await(LIMIT);
    }

    /** Starts it. The option {@code --config} is added. */
    public Running start(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(script.toString());
        command.addAll(List.of(arguments));
        command.add("--config");
        command.add(config.toString());
        Path output = directory.resolve("run-" + runs.incrementAndGet() + "-" + arguments[0] + ".out");
        String name = "shelfmark " + String.join(" ", arguments);
        return new Running(ChildProcess.startIn(directory, name, command, output), output);
    }

    /** A run that goes on. */
    public static final class Running {

        private final ChildProcess process;
        private final Path output;

        private Running(ChildProcess process, Path output) {
            this.process = process;
            this.output = output;
        }

        /** What it has printed so far. */
        public String output() {
            try {
                return Files.readString(output, StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException("can't read " + output, e);
            }
        }

        /** Whether it still runs. */
        public boolean alive() {
            return process.alive();
        }

        /** Waits for its end. */
        public Result await(Duration limit) {
            int exit = process.awaitExit(limit);
            return new Result(exit, output());
        }

        /** Ctrl-C, and waits for its end. */
        public Result stop() {
            process.terminate(LIMIT);
            return await(LIMIT);
        }

        /** SIGKILL. */
        public void kill() {
            process.kill();
        }
    }

    private static Path distribution() {
        Path target = KafkaDistribution.module()
                .toAbsolutePath()
                .resolveSibling("migration-tool")
                .resolve("target");
        try (Stream<Path> entries = Files.list(target)) {
            return entries.filter(Files::isDirectory)
                    .filter(entry -> Files.isRegularFile(entry.resolve("bin").resolve("shelfmark")))
                    .max(Comparator.naturalOrder())
                    .orElseThrow(() -> new IllegalStateException("no shelfmark command in " + target
                            + "; build it with: mvn -pl migration-tool -am -DskipTests package"));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "can't list " + target + "; build it with: mvn -pl migration-tool -am -DskipTests package", e);
        }
    }
}
