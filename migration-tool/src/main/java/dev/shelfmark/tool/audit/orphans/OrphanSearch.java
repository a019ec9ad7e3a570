package dev.shelfmark.tool.audit.orphans;

import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.CatalogueListing.Kept;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.tool.audit.walk.CatalogueWalk;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.storage.ObjectListing;
import dev.shelfmark.tool.storage.SpillFiles;
import dev.shelfmark.tool.storage.StoredObject;
import dev.shelfmark.tool.storage.naming.ObjectLayout;
import dev.shelfmark.tool.storage.naming.ObjectLayout.ObjectName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Compares the objects of a remote storage with the segments of the catalogue.
 *
 * <p>The objects are listed before the catalogue is read. A segment's row is written before its upload begins, so whoever has listed an
 * object finds its row afterwards, if it has one. The other way round a row may be newer than the listing; so whatever changed
 * within an age before the listing is in flight, and says nothing.
 */
public final class OrphanSearch {

    /** So many bytes of either side's files are compared at once; in memory they take some times as much. */
    private static final long MOST_HELD = 256 * 1024;

    private static final byte UNREADABLE = -1;
    private static final int MOST_MISSING_TOLD = 5;

    private final ObjectLayout layout;
    private final Duration age;
    private final Path workDirectory;
    private final List<PartitionSummary> partitions = new ArrayList<>();
    private final Set<UUID> topics = new HashSet<>();
    private long objects;
    private long foreignObjects;
    private long foreignBytes;
    private String foreignKey = "";
    private long inFlight;
    private Instant newestObject = Instant.MIN;

    /**
     * A search.
     *
     * @param layout how objects are named
     * @param age what was changed more recently is in flight
     * @param workDirectory where temporary files may be written, about 250 bytes for each object
     */
    public OrphanSearch(ObjectLayout layout, Duration age, Path workDirectory) {
        this.layout = layout;
        this.age = age;
        this.workDirectory = workDirectory;
    }

    /** How many objects were listed. */
    public long objects() {
        return objects;
    }

    /** How many of them are not named as segments' objects are. */
    public long foreignObjects() {
        return foreignObjects;
    }

    public long foreignBytes() {
        return foreignBytes;
    }

    /** How many objects or segments were too young to judge. */
    public long inFlight() {
        return inFlight;
    }

    /** @param state null when the row can't be understood: nothing is concluded from it then */
    private record Row(
            PartitionSummary partition, @Nullable SegmentState state, long startOffset, int size, long changedMs) {}

    /**
     * Lists, reads, compares.
     *
     * @param listedAt when the listing was made; null for the time of its newest object
     */
    public void run(ObjectListing listing, @Nullable Instant listedAt, CatalogueWalk walk, Consumer<Orphan> orphans) {
        try (SpillFiles objectFiles = new SpillFiles(workDirectory, "objects");
                SpillFiles rowFiles = new SpillFiles(workDirectory, "rows")) {
            listing.forEach(object -> spill(objectFiles, object));
            if (objects > 0 && foreignObjects == objects) {
                throw ToolFailure.usage(String.format(
                        Locale.ROOT,
                        "none of %,d objects matches the layout %s; for example %s. Say with --layout, --files and --prefix"
                                + " how the storage names its objects",
                        objects,
                        layout.description(),
                        foreignKey));
            }
            walk.partitions(
                    partition -> {
                        partitions.add(partition);
                        topics.add(partition.key().topicId());
                        for (Kept kept : Kept.values()) {
                            walk.segments(
                                    partition.key(),
                                    kept,
                                    segment -> spill(rowFiles, segment),
                                    row -> spillUnreadable(rowFiles, row.id()));
                        }
                    },
                    row -> {
                        throw ToolFailure.refused("partition " + row.id() + " of cluster " + row.clusterId()
                                + " can't be read, so nobody can tell which objects are its: " + row.reason());
                    });
            if (walk.segments() == 0 && objects > foreignObjects) {
                throw ToolFailure.refused("the catalogue holds no segment at all, but the storage holds "
                        + (objects - foreignObjects) + " objects of segments: is this the right catalogue?");
            }
            Instant moment = listedAt == null ? newestObject : listedAt;
            if (moment.equals(Instant.MIN)) {
                // Every segment would pass as one that may be younger than the listing, and nothing as missing.
                throw ToolFailure.usage(
                        "the listing " + (objects == 0 ? "holds no object" : "tells no times")
                                + ", so nobody can tell which segments are older than it: say with --listed-at when it was made");
            }
            compare(rowFiles, objectFiles, moment.minus(age).toEpochMilli(), orphans);
        }
    }

    private void compare(SpillFiles rows, SpillFiles objects, long inFlightSinceMs, Consumer<Orphan> orphans) {
        for (int file = 0; file < objects.count(); file++) {
            long larger = Math.max(rows.size(file), objects.size(file));
            if (larger <= MOST_HELD || !objects.divisible()) {
                compare(rows(rows, file), objects(objects, file), inFlightSinceMs, orphans);
            } else {
                // Twice as many as would do, since no two are of the same size.
                long pieces = 2 * larger / MOST_HELD;
                try (SpillFiles rowParts = rows.split(file, pieces);
                        SpillFiles objectParts = objects.split(file, pieces)) {
                    compare(rowParts, objectParts, inFlightSinceMs, orphans);
                }
            }
        }
    }

    private void spill(SpillFiles files, StoredObject object) {
        objects++;
        Instant modified = object.lastModified();
        if (modified != null && modified.isAfter(newestObject)) {
            newestObject = modified;
        }
        Optional<ObjectName> name = layout.parse(object.key());
        if (name.isEmpty()) {
            foreignKey = object.key();
            foreignObjects++;
            foreignBytes += object.size();
            return;
        }
        files.add(name.get().segmentId(), out -> {
            out.writeUTF(object.key());
            out.writeUTF(name.get().file());
            out.writeLong(object.size());
            out.writeLong(modified == null ? Long.MIN_VALUE : modified.toEpochMilli());
        });
    }

    private void spill(SpillFiles files, SegmentRecord segment) {
        int partition = partitions.size() - 1;
        files.add(segment.segmentId(), out -> {
            out.writeInt(partition);
            out.writeByte(segment.state().code());
            out.writeLong(segment.startOffset());
            out.writeInt(segment.sizeInBytes());
            out.writeLong(segment.eventTimestampMs());
        });
    }

    private void spillUnreadable(SpillFiles files, String segmentId) {
        int partition = partitions.size() - 1;
        files.add(TextualId.parse(segmentId), out -> {
            out.writeInt(partition);
            out.writeByte(UNREADABLE);
            out.writeLong(0);
            out.writeInt(0);
            out.writeLong(0);
        });
    }

    private static @Nullable SegmentState state(byte code) {
        return code == UNREADABLE ? null : SegmentState.ofCode(code);
    }

    /**
     * One of each partition that has the segment: clusters may share objects. A segment that was deleted while the catalogue was read is there
     * twice; the deleted one comes last, and counts.
     */
    private Map<UUID, List<Row>> rows(SpillFiles files, int file) {
        Map<UUID, List<Row>> rows = new HashMap<>();
        files.read(file, id -> in -> {
            Row row = new Row(
                    partitions.get(in.readInt()), state(in.readByte()), in.readLong(), in.readInt(), in.readLong());
            List<Row> same = rows.computeIfAbsent(id, unused -> new ArrayList<>(1));
            same.removeIf(
                    before -> before.partition().key().equals(row.partition().key()));
            same.add(row);
        });
        return rows;
    }

    private record Part(String file, StoredObject object) {}

    private static Map<UUID, List<Part>> objects(SpillFiles files, int file) {
        Map<UUID, List<Part>> objects = new HashMap<>();
        files.read(file, id -> in -> {
            String key = in.readUTF();
            String name = in.readUTF();
            long size = in.readLong();
            long modified = in.readLong();
            objects.computeIfAbsent(id, unused -> new ArrayList<>(3))
                    .add(new Part(
                            name,
                            new StoredObject(
                                    key, size, modified == Long.MIN_VALUE ? null : Instant.ofEpochMilli(modified))));
        });
        return objects;
    }

    private void compare(
            Map<UUID, List<Row>> rows,
            Map<UUID, List<Part>> objectsById,
            long inFlightSinceMs,
            Consumer<Orphan> orphans) {
        objectsById.forEach((id, parts) -> {
            List<Row> same = rows.getOrDefault(id, List.of());
            if (same.stream().anyMatch(row -> row.state() != SegmentState.DELETE_SEGMENT_FINISHED)) {
                return;
            }
            Row row = same.isEmpty() ? null : same.get(0);
            boolean recent = same.stream().anyMatch(each -> each.changedMs() >= inFlightSinceMs);
            for (Part part : parts) {
                if (recent || young(part.object(), inFlightSinceMs)) {
                    inFlight++;
                } else {
                    orphans.accept(leaked(id, row, part.object()));
                }
            }
        });
        rows.forEach((id, same) -> same.forEach(row -> {
            if (row.state() != SegmentState.COPY_SEGMENT_FINISHED) {
                return;
            }
            List<String> missing = missing(objectsById.getOrDefault(id, List.of()));
            if (missing.isEmpty()) {
                return;
            }
            if (row.changedMs() >= inFlightSinceMs) {
                inFlight++;
            } else {
                orphans.accept(lacking(id, row, missing));
            }
        }));
    }

    /** An object without a time can't be judged by its age; the catalogue was read after it was listed, which is enough. */
    private static boolean young(StoredObject object, long inFlightSinceMs) {
        Instant modified = object.lastModified();
        return modified != null && modified.toEpochMilli() >= inFlightSinceMs;
    }

    private List<String> missing(List<Part> parts) {
        Set<String> there = new HashSet<>();
        parts.forEach(part -> there.add(part.file()));
        return layout.files().stream().filter(file -> !there.contains(file)).toList();
    }

    private Orphan leaked(UUID id, @Nullable Row row, StoredObject object) {
        return new Orphan(
                row == null ? OrphanKind.OBJECT_WITHOUT_ROW : OrphanKind.OBJECT_OF_DELETED_SEGMENT,
                row == null ? null : row.partition().key().clusterId(),
                row == null ? null : row.partition().topicName(),
                row == null ? null : row.partition().key().partition(),
                TextualId.of(id),
                object.key(),
                object.size(),
                object.lastModified(),
                row == null
                        ? "the catalogue has no such segment"
                                + (ofKnownTopic(object) ? "" : ", and never knew its topic")
                        : "deleted at " + Instant.ofEpochMilli(row.changedMs()) + ", by its broker's clock");
    }

    private boolean ofKnownTopic(StoredObject object) {
        UUID topic = layout.parse(object.key()).map(ObjectName::topicId).orElse(null);
        return topic == null || topics.contains(topic);
    }

    private Orphan lacking(UUID id, Row row, List<String> missing) {
        boolean all = missing.size() == layout.files().size();
        List<String> told = missing.subList(0, Math.min(MOST_MISSING_TOLD, missing.size()));
        return new Orphan(
                all ? OrphanKind.ROW_WITHOUT_OBJECT : OrphanKind.INCOMPLETE_SEGMENT,
                row.partition().key().clusterId(),
                row.partition().topicName(),
                row.partition().key().partition(),
                TextualId.of(id),
                null,
                row.size(),
                null,
                "from offset " + row.startOffset() + "; missing: " + String.join(", ", told));
    }
}
