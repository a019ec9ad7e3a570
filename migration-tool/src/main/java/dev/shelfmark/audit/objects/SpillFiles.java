package dev.shelfmark.audit.objects;

import dev.shelfmark.migration.outcome.ToolFailure;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
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
 * Keeps records on disk, in as many files as it takes for each file to fit into memory later: what is about one segment is in one
 * file. So two streams of any length meet in bounded memory.
 */
final class SpillFiles implements AutoCloseable {

    private static final int BUFFER = 16 * 1024;

    private final Path directory;
    private final List<Path> files = new ArrayList<>();
    private final List<DataOutputStream> outputs = new ArrayList<>();

    /** @param count how many files */
    SpillFiles(Path parent, String name, int count) {
        try {
            this.directory = Files.createTempDirectory(parent, "shelfmark-" + name + "-");
            for (int i = 0; i < count; i++) {
                Path file = directory.resolve(Integer.toString(i));
                files.add(file);
                outputs.add(new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER)));
            }
        } catch (IOException e) {
            throw ToolFailure.usage("can't write temporary files in " + parent + ": " + e.getMessage(), e);
        }
    }

    /** Writes a record. */
    interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    /** Reads a record. */
    interface Reading {
        void from(DataInputStream in) throws IOException;
    }

    int count() {
        return files.size();
    }

    /** Adds a record of a segment; the segment's id is written before it. */
    void add(UUID segmentId, Writing record) {
        DataOutputStream out = outputs.get(Math.floorMod(segmentId.hashCode(), outputs.size()));
        try {
            out.writeByte(1);
            out.writeLong(segmentId.getMostSignificantBits());
            out.writeLong(segmentId.getLeastSignificantBits());
            record.to(out);
        } catch (IOException e) {
            throw ToolFailure.usage("can't write temporary files in " + directory + ": " + e.getMessage(), e);
        }
    }

    /** Reads every record of a file, each from behind its segment's id. Nothing may be added any more. */
    void read(int file, Function<UUID, Reading> records) {
        try {
            outputs.get(file).close();
            try (DataInputStream in =
                    new DataInputStream(new BufferedInputStream(Files.newInputStream(files.get(file)), BUFFER))) {
                while (in.read() == 1) {
                    records.apply(new UUID(in.readLong(), in.readLong())).from(in);
                }
            }
        } catch (IOException e) {
            throw ToolFailure.usage("can't read temporary files in " + directory + ": " + e.getMessage(), e);
        }
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
