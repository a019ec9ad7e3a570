package dev.shelfmark.soak.record;

import dev.shelfmark.store.PartitionKey;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** Appends a line to a file for each call that begins or ends; a broker that is killed loses none that it has begun. */
final class Recorder {

    private static final AtomicLong CALLS = new AtomicLong();

    private final Path file;

    Recorder(Path file) {
        this.file = file.resolveSibling(
                file.getFileName() + "-" + ProcessHandle.current().pid() + ".log");
    }

    /** A commit is about to be sent; its number. */
    long commitBegins(PartitionKey key, long expected, long version) {
        long call = CALLS.incrementAndGet();
        write("B " + call + " " + now() + " " + name(key) + " " + expected + " " + version);
        return call;
    }

    /** It has ended: committed, conflict, nothing or unknown. */
    void commitEnds(long call, String outcome) {
        write("E " + call + " " + now() + " " + outcome);
    }

    /** The store has answered with a partition's version. */
    void read(PartitionKey key, long begun, long version) {
        write("R " + begun + " " + now() + " " + name(key) + " " + version);
    }

    /** One clock for all brokers of this machine, in microseconds. */
    static long now() {
        var now = java.time.Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }

    private static String name(PartitionKey key) {
        return key.topicId() + "/" + key.partition();
    }

    private synchronized void write(String line) {
        try (FileOutputStream out = new FileOutputStream(file.toFile(), true)) {
            out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException("can't record to " + file, e);
        }
    }
}
