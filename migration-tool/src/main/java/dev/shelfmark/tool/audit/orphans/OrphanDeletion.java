package dev.shelfmark.tool.audit.orphans;

import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.admin.CatalogueListing.Kept;
import dev.shelfmark.tool.audit.walk.CatalogueWalk;
import dev.shelfmark.tool.failure.FileErrors;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.storage.S3Bucket;
import dev.shelfmark.tool.storage.StoredObject;
import dev.shelfmark.tool.storage.TextListing;
import dev.shelfmark.tool.storage.naming.ObjectLayout;
import dev.shelfmark.tool.storage.naming.ObjectLayout.ObjectName;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Deletes what an earlier search has listed, and nothing else: an object only if the catalogue still has no live segment of its id, if
 * it still is the object that was listed, and if the catalogue knows its topic, of which it forgets none: another topic's objects may be those
 * of another cluster.
 */
public final class OrphanDeletion {

    private final S3Bucket bucket;
    private final ObjectLayout layout;
    private final boolean delete;
    private final boolean unknownTopics;
    private long deletable;
    private long bytes;
    private long left;

    /**
     * A deletion.
     *
     * @param delete whether to delete, rather than only to tell what would be deleted
     * @param unknownTopics whether to delete objects of topics that the catalogue never knew, too
     */
    public OrphanDeletion(S3Bucket bucket, ObjectLayout layout, boolean delete, boolean unknownTopics) {
        this.bucket = bucket;
        this.layout = layout;
        this.delete = delete;
        this.unknownTopics = unknownTopics;
    }

    /** How many objects were, or would be, deleted. */
    public long deletable() {
        return deletable;
    }

    /** Their bytes. */
    public long bytes() {
        return bytes;
    }

    /** How many were left alone. */
    public long left() {
        return left;
    }

    /**
     * Goes through a file.
     *
     * @param file comma-separated values, as the search writes them
     * @param outcomes told of each object what became of it
     */
    public void run(Path file, CatalogueWalk walk, BiConsumer<StoredObject, String> outcomes) {
        Map<String, Listed> listed = read(file);
        Known known = known(walk, listed);
        listed.forEach((key, object) -> outcomes.accept(object.object(), judge(object, known)));
    }

    private record Listed(ObjectName name, StoredObject object) {}

    /**
     * What the catalogue says.
     *
     * @param needed the segments among those that were listed that it has, not as deleted
     * @param topics all of its topics
     */
    private record Known(Set<UUID> needed, Set<UUID> topics) {}

    private static Known known(CatalogueWalk walk, Map<String, Listed> listed) {
        Set<UUID> asked = new HashSet<>();
        listed.values().forEach(object -> asked.add(object.name().segmentId()));
        Known known = new Known(new HashSet<>(), new HashSet<>());
        walk.partitions(
                partition -> {
                    known.topics().add(partition.key().topicId());
                    // One that is deleted meanwhile comes twice; as deleted it says nothing of another partition's.
                    Set<UUID> needed = new HashSet<>();
                    for (Kept kept : Kept.values()) {
                        walk.segments(
                                partition.key(),
                                kept,
                                segment -> {
                                    if (asked.contains(segment.segmentId())) {
                                        if (segment.state() == SegmentState.DELETE_SEGMENT_FINISHED) {
                                            needed.remove(segment.segmentId());
                                        } else {
                                            needed.add(segment.segmentId());
                                        }
                                    }
                                },
                                row -> {
                                    throw unreadable(row.id(), row.reason());
                                });
                    }
                    known.needed().addAll(needed);
                },
                row -> {
                    throw unreadable(row.id(), row.reason());
                });
        if (walk.segments() == 0) {
            throw ToolFailure.refused(
                    "the catalogue holds no segment at all: is this the right one? Nothing is deleted");
        }
        return known;
    }

    private static ToolFailure unreadable(String id, String reason) {
        return ToolFailure.refused(id + " can't be read, so nothing is deleted: " + reason);
    }

    private String judge(Listed listed, Known known) {
        if (known.needed().contains(listed.name().segmentId())) {
            return keep("the catalogue needs it");
        }
        UUID topic = listed.name().topicId();
        if (topic != null && !known.topics().contains(topic) && !unknownTopics) {
            return keep("the catalogue never knew its topic, so that another cluster may need it;"
                    + " --unknown-topics counts it in");
        }
        Optional<StoredObject> now = bucket.find(listed.object().key());
        if (now.isEmpty()) {
            return keep("it is gone already");
        }
        if (now.get().size() != listed.object().size() || changed(now.get(), listed.object())) {
            return keep("it is not the object that was listed: it was written anew");
        }
        if (delete) {
            bucket.delete(listed.object().key());
        }
        deletable++;
        bytes += listed.object().size();
        return delete ? "deleted" : "would be deleted";
    }

    /** Within a second: some listings have no fractions. */
    private static boolean changed(StoredObject now, StoredObject then) {
        return then.lastModified() == null
                || now.lastModified() == null
                || now.lastModified().getEpochSecond() != then.lastModified().getEpochSecond();
    }

    private String keep(String why) {
        left++;
        return "left alone: " + why;
    }

    private Map<String, Listed> read(Path file) {
        Map<String, Listed> listed = new LinkedHashMap<>();
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            String header = lines.readLine();
            List<String> names = header == null ? List.of() : TextListing.fields(header);
            int kind = names.indexOf("kind");
            int key = names.indexOf("key");
            int size = names.indexOf("size");
            int modified = names.indexOf("lastModified");
            if (kind < 0 || key < 0 || size < 0 || modified < 0) {
                throw ToolFailure.usage(file + " is not what 'shelfmark orphans --output csv' writes");
            }
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                List<String> fields = TextListing.fields(line);
                if (OrphanKind.valueOf(fields.get(kind)).leaked()) {
                    ObjectName name = layout.parse(fields.get(key))
                            .orElseThrow(() -> new IllegalArgumentException("a key of another layout"));
                    listed.put(
                            fields.get(key),
                            new Listed(
                                    name,
                                    new StoredObject(
                                            fields.get(key),
                                            Long.parseLong(fields.get(size)),
                                            moment(fields.get(modified)))));
                }
            }
        } catch (IOException e) {
            throw ToolFailure.usage("can't read " + file + ": " + FileErrors.reason(e), e);
        } catch (IllegalArgumentException | IndexOutOfBoundsException | DateTimeParseException e) {
            throw ToolFailure.usage(
                    file + " is not what 'shelfmark orphans --output csv' writes: " + e.getMessage(), e);
        }
        return listed;
    }

    private static @Nullable Instant moment(String text) {
        return text.isEmpty() ? null : Instant.parse(text);
    }
}
