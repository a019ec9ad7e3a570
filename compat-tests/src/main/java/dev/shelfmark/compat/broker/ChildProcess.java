package dev.shelfmark.compat.broker;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that writes its output to a file, and the signals one can send it. */
final class ChildProcess {

    private static final Duration FOR_THE_KERNEL = Duration.ofSeconds(20);
    private static final File NOTHING = new File("/dev/null");

    private final String name;
    private final Process process;

    private ChildProcess(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    /**
     * Starts it.
     *
     * @param tied whether its standard input is a pipe that ends with this process
     */
    static ChildProcess start(String name, List<String> command, Path log, boolean tied) {
        return start(name, command, log, tied, Path.of("").toAbsolutePath());
    }

    /** The same, in a working directory. */
    static ChildProcess start(String name, List<String> command, Path log, boolean tied, Path directory) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        if (!tied) {
            builder.redirectInput(NOTHING);
        }
        return start(name, builder);
    }

    /** Starts it with another working directory and nothing to read. */
    static ChildProcess startIn(Path directory, String name, List<String> command, Path log) {
        return start(
                name,
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .redirectInput(NOTHING));
    }

    private static ChildProcess start(String name, ProcessBuilder builder) {
        try {
            return new ChildProcess(name, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "can't start " + name + " (" + builder.command().get(0) + ")", e);
        }
    }

    boolean alive() {
        return process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    /** Waits for its end; its exit code. */
    int awaitExit(Duration limit) {
        if (!exited(limit)) {
            kill();
            throw new IllegalStateException(name + " did not end within " + limit + "; it is killed");
        }
        return process.exitValue();
    }

    /** SIGTERM, and SIGKILL when that does not end it in time; whether it ended by itself. */
    boolean terminate(Duration limit) {
        process.destroy();
        boolean ended = exited(limit);
        if (!ended) {
            kill();
        }
        return ended;
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
        if (!exited(FOR_THE_KERNEL)) {
            throw new IllegalStateException(name + " (process " + pid() + ") survives SIGKILL");
        }
    }

    /** SIGSTOP: it keeps its connections and does nothing. */
    void pause() {
        signal("-STOP");
    }

    /** SIGCONT. */
    void resume() {
        signal("-CONT");
    }

    private void signal(String signal) {
        try {
            Process kill = new ProcessBuilder("kill", signal, Long.toString(pid()))
                    .redirectErrorStream(true)
                    .start();
            String said = new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!kill.waitFor(FOR_THE_KERNEL.toSeconds(), TimeUnit.SECONDS) || kill.exitValue() != 0) {
                throw new IllegalStateException("kill " + signal + " of " + name + " failed: " + said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can't run kill", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while signalling " + name, e);
        }
    }

    private boolean exited(Duration limit) {
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + name, e);
        }
    }

    /** The last lines of a log file. */
    static String tail(Path log, int lines) {
        try {
            List<String> all = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
            return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
        } catch (IOException e) {
            return "(" + log + " can't be read: " + e + ")";
        }
    }
}
