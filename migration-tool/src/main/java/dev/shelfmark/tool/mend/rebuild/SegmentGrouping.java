package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.tool.storage.ObjectListing;
import dev.shelfmark.tool.storage.SpillFiles;
import dev.shelfmark.tool.storage.StoredObject;
import dev.shelfmark.tool.storage.layout.ObjectName;
import dev.shelfmark.tool.storage.layout.SegmentLayout;
import dev.shelfmark.tool.storage.layout.SegmentName;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Brings the objects of each segment together, in whatever order they are listed; on disk, so that memory is bounded. */
final class SegmentGrouping implements AutoCloseable {

    private final SegmentLayout layout;
    private final SpillFiles files;
    private final Runnable listed;
    private long objects;
    private long foreign;

    /**
     * Nothing is listed yet.
     *
     * @param work where temporary files may be written, about 250 bytes for each object
     * @param listed called for each object
     */
    SegmentGrouping(SegmentLayout layout, Path work, Runnable listed) {
        this.layout = layout;
        this.files = new SpillFiles(work, "objects");
        this.listed = listed;
    }

    /** How many objects were listed. */
    long objects() {
        return objects;
    }

    /** How many of them are not named as segments' objects are. */
    long foreign() {
        return foreign;
    }

    /** Lists every object. */
    void list(ObjectListing listing) {
        listing.forEach(object -> {
            objects++;
            listed.run();
            Optional<ObjectName> name = layout.parse(object.key());
            if (name.isEmpty()) {
                foreign++;
            } else {
                add(name.get(), object);
            }
        });
    }

    private void add(ObjectName name, StoredObject object) {
        files.add(name.segment().segmentId(), out -> {
            out.writeLong(name.segment().topicId().getMostSignificantBits());
            out.writeLong(name.segment().topicId().getLeastSignificantBits());
            out.writeInt(name.segment().partition());
            out.writeUTF(name.file());
            out.writeUTF(object.key());
            out.writeLong(object.size());
            Instant modified = object.lastModified();
            out.writeLong(modified == null ? Long.MIN_VALUE : modified.toEpochMilli());
        });
    }

    /** Takes one segment after another. */
    interface Segments {
        /**
         * A segment.
         *
         * @param twice a file that two objects are of, or empty
         */
        void take(SegmentName name, Map<String, StoredObject> files, Optional<String> twice);
    }

    /** Hands every segment over, in no order. */
    void forEach(Segments segments) {
        SpilledGroups.each(files, (pieces, file) -> {
            Map<SegmentName, Group> groups = new LinkedHashMap<>();
            pieces.read(file, id -> in -> {
                UUID topicId = new UUID(in.readLong(), in.readLong());
                SegmentName name = new SegmentName(topicId, in.readInt(), id);
                String part = in.readUTF();
                String key = in.readUTF();
                long size = in.readLong();
                long modified = in.readLong();
                groups.computeIfAbsent(name, unused -> new Group())
                        .add(
                                part,
                                new StoredObject(
                                        key, size, modified == Long.MIN_VALUE ? null : Instant.ofEpochMilli(modified)));
            });
            groups.forEach((name, group) -> segments.take(name, group.files, group.twice));
        });
    }

    private static final class Group {
        private final Map<String, StoredObject> files = new HashMap<>(4);
        private Optional<String> twice = Optional.empty();

        void add(String file, StoredObject object) {
            if (files.put(file, object) != null) {
                twice = Optional.of(file);
            }
        }
    }

    @Override
    public void close() {
        files.close();
    }
}
