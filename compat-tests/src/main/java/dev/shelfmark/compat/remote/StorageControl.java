package dev.shelfmark.compat.remote;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * The two ends of the marker files with which a test steers the storage of one broker, in another process. A test asks for a
 * pause ({@code before-copy.pause}); the storage says that it stands there ({@code before-copy.reached}) until the pause is taken
 * away, or the broker is killed. With {@code before-copy.fail} it throws instead.
 */
public final class StorageControl {

    /** No test waits longer; a storage that is forgotten in a pause goes on by itself. */
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(3);

    private static final Duration POLL = Duration.ofMillis(20);

    private final Path directory;

    /** The control of the storage that was configured with this directory. */
    public StorageControl(Path directory) {
        this.directory = directory;
    }

    /** From now on, the storage stops at this point. */
    public void pauseAt(StoragePoint point) {
        create(point.fileName("pause"));
    }

    /** From now on, the storage throws at this point. */
    public void failAt(StoragePoint point) {
        create(point.fileName("fail"));
    }

    /** Whether the storage has stopped at this point since {@link #pauseAt}. */
    public boolean reached(StoragePoint point) {
        return Files.exists(directory.resolve(point.fileName("reached")));
    }

    /** The storage goes on, and neither stops nor throws at this point again. */
    public void release(StoragePoint point) {
        delete(point.fileName("pause"));
        delete(point.fileName("fail"));
        delete(point.fileName("reached"));
    }

    /**
     * The storage's side: does what the test asked for at this point. An interrupt does not end the pause, as it does not end
     * an upload that is on its way: an old leader's copy may finish late.
     */
    void pass(StoragePoint point) throws IOException {
        if (Files.exists(directory.resolve(point.fileName("fail")))) {
            throw new IOException("a test made the remote storage fail at " + point);
        }
        Path pause = directory.resolve(point.fileName("pause"));
        long end = System.nanoTime() + LONGEST_PAUSE.toNanos();
        boolean interrupted = false;
        while (Files.exists(pause) && System.nanoTime() < end) {
            create(point.fileName("reached"));
            LockSupport.parkNanos(POLL.toNanos());
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void create(String fileName) {
        try {
            Files.createDirectories(directory);
            Files.write(directory.resolve(fileName), new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException("can't create the marker " + fileName + " in " + directory, e);
        }
    }

    private void delete(String fileName) {
        try {
            Files.deleteIfExists(directory.resolve(fileName));
        } catch (IOException e) {
            throw new UncheckedIOException("can't delete the marker " + fileName + " in " + directory, e);
        }
    }
}
