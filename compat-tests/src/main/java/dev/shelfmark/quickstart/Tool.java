package dev.shelfmark.quickstart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * The {@code shelfmark} command, run as an operator runs it.
 *
 * @param root the checkout
 * @param config the command's configuration file
 */
record Tool(Path root, Path config) {

    private static final long MINUTES = 5;

    /** Writes the settings into the configuration file. */
    Tool configure(Map<String, String> settings) {
        Properties file = new Properties();
        file.putAll(settings);
        try (Writer writer = Files.newBufferedWriter(config)) {
            file.store(writer, "For the shelfmark command: the schema owner's login");
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException("can't write " + config, e);
        }
    }

    /** Runs a subcommand with the configuration file; what it printed. */
    String run(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(root.resolve("bin").resolve("shelfmark").toString());
        command.addAll(List.of(arguments));
        command.add("--config");
        command.add(config.toString());
        Path output = config.resolveSibling("shelfmark.out");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                throw new IllegalStateException(command + " did not end within " + MINUTES + " minutes");
            }
            String said = Files.readString(output, StandardCharsets.UTF_8).strip();
            if (process.exitValue() != 0) {
                throw new IllegalStateException(String.join(" ", command) + " failed:\n" + said);
            }
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException("can't run " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + command, e);
        }
    }
}
