package dev.shelfmark.tool.storage;

import dev.shelfmark.tool.failure.FileErrors;
import dev.shelfmark.tool.failure.ToolFailure;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * Keeps records on disk, in several files: what is about one segment is in one file. A file that would not fit into memory is {@link #split}. So two
 * streams of any length meet in bounded memory.
 */
public final class SpillFiles implements AutoCloseable {

    /** So many bits of an id choose among the files, of which there are not more than are well kept open. */
    private static final int MOST_BITS = 6;

    private static final int BUFFER = 16 * 1024;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private final Path parent;
    private final String name;
    private final int bitsBefore;
    private final int bits;
    private final Path directory;
    private final List<Path> files = new ArrayList<>();
    private final List<DataOutputStream> outputs = new ArrayList<>();
    private final ByteArrayOutputStream record = new ByteArrayOutputStream();

    /**
     * New files, removed when this is closed.
     *
     * @param parent where they are written
     * @param name what they hold, for people
     */
    public SpillFiles(Path parent, String name) {
        this(parent, name, 0, MOST_BITS);
    }

    private SpillFiles(Path parent, String name, int bitsBefore, int bits) {
        this.parent = parent;
        this.name = name;
        this.bitsBefore = bitsBefore;
        this.bits = bits;
        try {
            this.directory = Files.createTempDirectory(parent, "shelfmark-" + name + "-");
            for (int i = 0; i < 1 << bits; i++) {
                Path file = directory.resolve(Integer.toString(i));
                files.add(file);
                outputs.add(new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER)));
            }
        } catch (IOException e) {
            throw ToolFailure.usage("can't write temporary files in " + parent + ": " + FileErrors.reason(e), e);
        }
    }

    /** Writes a record. */
    public interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    /** Reads a record. */
    public interface Reading {
        void from(DataInputStream in) throws IOException;
    }

    /** How many files there are. */
    public int count() {
        return files.size();
    }

    /** Adds a record of a segment. */
    public void add(UUID segmentId, Writing writing) {
        try {
            record.reset();
            writing.to(new DataOutputStream(record));
            write(segmentId, record.toByteArray());
        } catch (IOException e) {
            throw failed("write", e);
        }
    }

    private void write(UUID segmentId, byte[] content) throws IOException {
        DataOutputStream out = outputs.get(file(segmentId));
        out.writeLong(segmentId.getMostSignificantBits());
        out.writeLong(segmentId.getLeastSignificantBits());
        out.writeInt(content.length);
        out.write(content);
    }

    /** By the bits behind those that have put it into the file that was split. */
    private int file(UUID segmentId) {
        long mixed = (segmentId.getMostSignificantBits() ^ segmentId.getLeastSignificantBits()) * MIX;
        return (int) (mixed << bitsBefore >>> (Long.SIZE - bits));
    }

    /** How many bytes a file holds. Nothing may be added to it any more. */
    public long size(int file) {
        try {
            outputs.get(file).close();
            return Files.size(files.get(file));
        } catch (IOException e) {
            throw failed("read", e);
        }
    }

    /** Whether a file can be split. */
    public boolean divisible() {
        return bitsBefore + bits + MOST_BITS <= Long.SIZE;
    }

    /**
     * The records of a file, in the same order, spread over several.
     *
     * @param pieces how many there should be at least, if there may be so many
     */
    public SpillFiles split(int file, long pieces) {
        int wanted = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, pieces - 1));
        SpillFiles parts = new SpillFiles(parent, name, bitsBefore + bits, Math.min(MOST_BITS, wanted));
        each(file, parts::write);
        return parts;
    }

    /** Reads every record of a file, in the order in which they were added. Nothing may be added any more. */
    public void read(int file, Function<UUID, Reading> records) {
        each(file, (id, content) -> records.apply(id).from(new DataInputStream(new ByteArrayInputStream(content))));
    }

    /** Takes a record as it was written. */
    private interface Content {
        void take(UUID segmentId, byte[] content) throws IOException;
    }

    private void each(int file, Content records) {
        try {
            long left = size(file);
            try (DataInputStream in =
                    new DataInputStream(new BufferedInputStream(Files.newInputStream(files.get(file)), BUFFER))) {
                while (left > 0) {
                    UUID id = new UUID(in.readLong(), in.readLong());
                    byte[] content = new byte[in.readInt()];
                    in.readFully(content);
                    left -= 2 * Long.BYTES + Integer.BYTES + content.length;
                    records.take(id, content);
                }
            }
        } catch (IOException e) {
            throw failed("read", e);
        }
    }

    private ToolFailure failed(String what, IOException cause) {
        return ToolFailure.usage(
                "can't " + what + " temporary files in " + directory + ": " + FileErrors.reason(cause), cause);
    }

    @Override
    public void close() {
        try {
            for (int i = 0; i < files.size(); i++) {
                outputs.get(i).close();
                Files.deleteIfExists(files.get(i));
            }
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("can't remove the temporary files in " + directory, e);
        }
    }
}
