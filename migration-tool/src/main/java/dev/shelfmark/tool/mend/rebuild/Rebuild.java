package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.tool.storage.ObjectSource;
import dev.shelfmark.tool.storage.SpillFiles;
import dev.shelfmark.tool.storage.layout.SegmentDescription;
import dev.shelfmark.tool.storage.layout.SegmentLayout;
import dev.shelfmark.tool.storage.layout.SegmentName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Brings what is in a remote storage into a catalogue. Whatever the storage holds, memory holds the segments of the largest partition at most; all
 * else is in temporary files.
 */
final class Rebuild {

    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final int TELL_EVERY = 100;

    private final RebuildSettings settings;
    private final SegmentLayout layout;
    private final ClusterTopics topics;
    private final CatalogueStore store;
    private final PartitionPlan plan;
    private final @Nullable CatalogueWriter writer;
    private final RebuildListener listener;

    /** @param writer makes the changes; null when none are to be made */
    Rebuild(
            RebuildSettings settings,
            SegmentLayout layout,
            ClusterTopics topics,
            CatalogueStore store,
            @Nullable CatalogueWriter writer,
            RebuildListener listener) {
        this.settings = settings;
        this.layout = layout;
        this.topics = topics;
        this.store = store;
        this.plan = new PartitionPlan(topics, settings);
        this.writer = writer;
        this.listener = listener;
    }

    /** Lists, reads, plans, and unless it is a dry run brings in. */
    void run(ObjectSource source, BooleanSupplier stopped) {
        AtomicLong listed = new AtomicLong();
        try (SpillFiles found = new SpillFiles(settings.workDirectory(), "segments")) {
            try (SegmentGrouping grouping = new SegmentGrouping(
                    layout, settings.workDirectory(), () -> listener.listed(listed.incrementAndGet()))) {
                grouping.list(source);
                if (grouping.foreign() > 0) {
                    listener.notice(grouping.foreign() + " of " + grouping.objects()
                            + " objects are not named as those of the layout '" + layout.name()
                            + "', and were passed over");
                }
                read(grouping, source, found, stopped);
            }
            SpilledGroups.each(found, this::bringIn);
        }
    }

    private void read(SegmentGrouping grouping, ObjectSource source, SpillFiles found, BooleanSupplier stopped) {
        SegmentReader reader = new SegmentReader(layout, source, settings.latest());
        AtomicLong read = new AtomicLong();
        try (ParallelReads reads =
                new ParallelReads(settings.requests(), new Pace(settings.requestsPerSecond()), stopped)) {
            grouping.forEach((name, files, twice) -> {
                reads.run(() -> {
                    FoundSegment segment = reader.read(name, files, twice);
                    synchronized (found) {
                        found.add(partitionId(name), out -> FoundSegmentCodec.write(segment, out));
                    }
                    read.incrementAndGet();
                });
                if (read.get() % TELL_EVERY == 0) {
                    listener.read(read.get());
                }
            });
            reads.finish();
        }
        listener.read(read.get());
    }

    /** So that all of a partition are in one file. */
    private static UUID partitionId(SegmentName name) {
        return new UUID(
                name.topicId().getMostSignificantBits() ^ (name.partition() + 1) * MIX,
                name.topicId().getLeastSignificantBits());
    }

    private record Partition(UUID topicId, int partition) {}

    private void bringIn(SpillFiles files, int file) {
        Map<Partition, List<FoundSegment>> partitions = new HashMap<>();
        files.read(file, unused -> in -> {
            FoundSegment segment = FoundSegmentCodec.read(in);
            partitions
                    .computeIfAbsent(
                            new Partition(
                                    segment.name().topicId(), segment.name().partition()),
                            key -> new ArrayList<>())
                    .add(segment);
        });
        Map<TopicPartition, Long> logStarts = logStarts(partitions.keySet());
        partitions.forEach((partition, found) -> bringIn(partition, found, logStarts));
    }

    private Map<TopicPartition, Long> logStarts(Set<Partition> partitions) {
        Set<TopicPartition> asked = new HashSet<>();
        for (Partition partition : partitions) {
            String name = topics.name(partition.topicId());
            if (name != null) {
                asked.add(new TopicPartition(name, partition.partition()));
            }
        }
        return asked.isEmpty() ? Map.of() : topics.logStarts().of(asked);
    }

    private void bringIn(Partition partition, List<FoundSegment> found, Map<TopicPartition, Long> logStarts) {
        PartitionKey key = new PartitionKey(settings.clusterId(), partition.topicId(), partition.partition());
        Map<UUID, SegmentRecord> rows = new HashMap<>();
        PartitionHead head = store.read(key, new Selection.ChangedSince(0), row -> rows.put(row.segmentId(), row));
        String topic = topic(partition, found, head);
        long logStart = logStarts.getOrDefault(new TopicPartition(topic, partition.partition()), -1L);
        List<PlannedSegment> changes = new ArrayList<>();
        for (PlannedSegment planned : plan.of(found, rows, logStart, head.highestOffsets())) {
            if (planned.action().changes()) {
                changes.add(planned);
            } else {
                listener.planned(topic, planned);
            }
        }
        if (writer != null && !changes.isEmpty()) {
            changes = writer.write(key, topic, changes);
        }
        changes.forEach(change -> listener.planned(topic, change));
    }

    /** As the brokers have it, or as it was when a segment was uploaded, or as the catalogue has it. */
    private String topic(Partition partition, List<FoundSegment> found, PartitionHead head) {
        String known = topics.name(partition.topicId());
        if (known != null) {
            return known;
        }
        for (FoundSegment segment : found) {
            SegmentDescription description = segment.description();
            if (description != null && description.topic() != null) {
                return description.topic();
            }
        }
        return head.topicName().isEmpty() ? TextualId.of(partition.topicId()) : head.topicName();
    }
}
