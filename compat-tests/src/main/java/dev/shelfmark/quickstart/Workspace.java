package dev.shelfmark.quickstart;

import dev.shelfmark.compat.broker.FileTrees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The one directory in which a user's quickstart keeps everything. One run at a time has it. Closing it, or ending the JVM in
 * whatever way, ends every process that works in it and removes it, unless it is to be kept.
 */
final class Workspace implements AutoCloseable {

    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final List<String> OURS = List.of("java", "postgres", "dynoxide");

    private final Path directory;
    private final Path lockFile;
    private final FileChannel lockChannel;
    private final Thread onExit = new Thread(this::removeAtExit, "remove-workspace");
    private boolean ours;
    private volatile boolean exiting;

    private Workspace(Path directory, Path lockFile, FileChannel lockChannel) {
        this.directory = directory;
        this.lockFile = lockFile;
        this.lockChannel = lockChannel;
    }

    /** Takes the directory for this run. */
    static Workspace claim() {
        Path directory = Path.of(
                        System.getProperty("java.io.tmpdir"), "shelfmark-quickstart-" + System.getProperty("user.name"))
                .toAbsolutePath();
        Path lockFile = directory.resolveSibling(directory.getFileName() + ".lock");
        try {
            FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock(channel) == null) {
                channel.close();
                throw new CannotBegin("another quickstart is running (it holds " + lockFile + "); wait for its end");
            }
            return new Workspace(directory, lockFile, channel);
        } catch (IOException e) {
            throw new UncheckedIOException("can't lock " + lockFile, e);
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    Path directory() {
        return directory;
    }

    /** Whether the JVM is on its way down, so that what fails now fails because of it. */
    boolean exiting() {
        return exiting;
    }

    /** Fails when an earlier run left something up on purpose; removes what one left behind that was killed. */
    void begin() {
        if (Files.exists(keptMarker()) && !processes().isEmpty()) {
            throw new CannotBegin("what an earlier run with --keep left up is still there, in " + directory
                    + "; end and remove it with: bin/quickstart --stop");
        }
        remove();
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("can't create " + directory, e);
        }
        ours = true;
        Runtime.getRuntime().addShutdownHook(onExit);
    }

    /** Ends and removes what an earlier run left; whether there was anything. */
    boolean removeKept() {
        boolean found = Files.exists(directory);
        remove();
        return found;
    }

    /** From now on everything stays when this run ends. */
    void keep() {
        try {
            Files.createFile(keptMarker());
        } catch (IOException e) {
            throw new UncheckedIOException("can't write " + keptMarker(), e);
        }
        ours = false;
        Runtime.getRuntime().removeShutdownHook(onExit);
    }

    private Path keptMarker() {
        return directory.resolve("kept");
    }

    /** Brokers and database servers that name the directory in their arguments; no other process. */
    private List<ProcessHandle> processes() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .filter(process -> process.info()
                        .command()
                        .map(command ->
                                OURS.contains(Path.of(command).getFileName().toString()))
                        .orElse(false))
                .filter(process -> process.info()
                        .commandLine()
                        .map(line -> line.contains(directory + "/"))
                        .orElse(false))
                .toList();
    }

    private void remove() {
        List<ProcessHandle> running = processes();
        running.forEach(ProcessHandle::destroyForcibly);
        CompletableFuture<?> ended = CompletableFuture.allOf(
                running.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new));
        ended.orTimeout(GRACE.toSeconds(), TimeUnit.SECONDS).join();
        FileTrees.delete(directory);
    }

    private void removeAtExit() {
        exiting = true;
        System.err.println();
        System.err.println("quickstart: interrupted; ending and removing everything");
        remove();
        unlock();
    }

    @Override
    public void close() {
        if (exiting) {
            return;
        }
        if (ours) {
            Runtime.getRuntime().removeShutdownHook(onExit);
            remove();
        }
        unlock();
    }

    private void unlock() {
        try {
            Files.deleteIfExists(lockFile);
            lockChannel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("can't give up " + lockFile, e);
        }
    }
}
