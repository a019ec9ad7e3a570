package dev.shelfmark.tool.migrate.verify;

import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.tool.console.ProgressListener;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.BoundedRead;
import dev.shelfmark.tool.kafka.Brokers;
import dev.shelfmark.tool.kafka.MetadataReader;
import dev.shelfmark.tool.kafka.MetadataRecord;
import dev.shelfmark.tool.kafka.MetadataTopic;
import dev.shelfmark.tool.kafka.MetadataTopic.Offsets;
import dev.shelfmark.tool.migrate.importing.DryRunLoader;
import dev.shelfmark.tool.migrate.verify.Difference.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.server.log.remote.metadata.storage.KafkaCaches;
import org.apache.kafka.server.log.remote.metadata.storage.RemoteLogMetadataTopicPartitioner;
import org.apache.kafka.server.log.remote.metadata.storage.RemoteLogSegmentMetadataSnapshot;
import org.apache.kafka.server.log.remote.metadata.storage.serialization.RemoteLogMetadataSerde;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadata;

/**
 * Rebuilds Kafka's own cache from the metadata topic, one metadata partition after the other, and compares every user partition in it with
 * the catalogue. A partition that has moved on since the topic's last event (brokers write to the catalogue now, or an import goes on) is
 * compared with what the topic's events make of it by the catalogue's rules. At last come the partitions that only the catalogue has.
 *
 * <p>It needs the rights of an auditor and changes nothing.
 */
public final class Verification {

    static final Duration STALL = Duration.ofSeconds(60);

    private final CatalogueStore store;
    private final KafkaComparison comparison;
    private final CatalogueOnly catalogueOnly;
    private final String clusterId;
    private final MetadataTopic topic;
    private final Brokers cluster;
    private final ProgressListener listener;
    private final BooleanSupplier stopped;
    private final Consumer<Difference> differences;
    private final RemoteLogMetadataTopicPartitioner partitioner;
    private boolean standsStill;
    private long same;
    private long movedOn;
    private long newSince;
    private final Set<PartitionKey> seen = new HashSet<>();
    private final Set<PartitionKey> split = new HashSet<>();
    private long questions;

    /**
     * One comparison.
     *
     * @param listing what the store keeps
     * @param cluster whose topic it is
     * @param topic as it stands: nothing behind its ends is compared
     * @param differences takes every difference, the expected ones as well
     */
    public Verification(
            CatalogueStore store,
            CatalogueListing listing,
            Brokers cluster,
            MetadataTopic topic,
            ProgressListener listener,
            BooleanSupplier stopped,
            Consumer<Difference> differences) {
        this.store = store;
        this.clusterId = cluster.clusterId();
        this.comparison = new KafkaComparison(store, clusterId, differences);
        this.catalogueOnly = new CatalogueOnly(store, listing, cluster, topic);
        this.topic = topic;
        this.cluster = cluster;
        this.listener = listener;
        this.stopped = stopped;
        this.differences = differences;
        this.partitioner =
                new RemoteLogMetadataTopicPartitioner(topic.partitions().size());
    }

    /** From now on nobody writes to either side: every partition must be the same as it is, not only in its past. */
    public Verification ofWhatStandsStill() {
        standsStill = true;
        return this;
    }

    /** User partitions that were compared with Kafka's cache. */
    public long same() {
        return same;
    }

    /** User partitions that have changed since the topic's last event. */
    public long movedOn() {
        return movedOn;
    }

    /** User partitions of which Kafka reads only a part of the events. */
    public long misplaced() {
        return split.size();
    }

    /** User partitions that only the catalogue has, since brokers write to it and not to the topic. */
    public long newSince() {
        return newSince;
    }

    /** How many questions were asked of both. */
    public long questions() {
        return questions;
    }

    /** Compares everything. */
    public void run() {
        listener.begins(topic.records());
        try (MetadataReader reader = cluster.reader()) {
            for (Offsets offsets : topic.partitions()) {
                if (offsets.end() > offsets.start()) {
                    run(offsets, reader);
                }
            }
            newSince = catalogueOnly.find(seen, reader, differences, this::ensureGoingOn);
        }
    }

    private void run(Offsets offsets, MetadataReader reader) {
        KafkaCaches kafka = new KafkaCaches();
        RemoteLogMetadataSerde serde = new RemoteLogMetadataSerde();
        try (DryRunLoader rehearsal = new DryRunLoader(clusterId, topic)) {
            read(offsets, reader, records -> {
                rehearsal.load(offsets.partition(), records);
                for (MetadataRecord record : records) {
                    byte[] value = record.value();
                    RemoteLogMetadata event = value == null ? null : serde.deserialize(value);
                    if (event != null && !(event instanceof RemoteLogSegmentMetadataSnapshot)) {
                        kafka.handle(event);
                    }
                }
            });
            for (TopicIdPartition partition : kafka.partitions()) {
                compare(kafka, rehearsal.store(), partition, offsets.partition());
            }
        }
    }

    private void compare(KafkaCaches kafka, CatalogueStore rehearsed, TopicIdPartition partition, int source) {
        ensureGoingOn();
        PartitionKey key = KafkaMapping.key(clusterId, partition);
        seen.add(key);
        if (partitioner.metadataPartition(partition) != source) {
            split.add(key);
        }
        if (split.contains(key)) {
            return;
        }
        if (standsStill) {
            if (!compareWithKafka(kafka, partition, key, comparison.head(key), true)) {
                differences.accept(
                        difference(partition, Kind.BEHIND, "changes", "none any more", "some while it was compared"));
            }
            return;
        }
        List<SegmentRecord> then = new ArrayList<>();
        PartitionHead headThen = rehearsed.read(key, new Selection.All(), then::add);
        PartitionHead head = comparison.head(key);
        // Another version need not mean other answers: what was exported meanwhile was counted by both sides, each its
        // own way.
        if (compareWithKafka(kafka, partition, key, head, head.version() == headThen.version())) {
            return;
        }
        Map<UUID, SegmentRecord> now = new HashMap<>();
        PartitionHead headNow = store.read(key, new Selection.All(), segment -> put(now, segment));
        if (headNow.version() < headThen.version()) {
            differences.accept(difference(
                    partition,
                    Kind.BEHIND,
                    "changes",
                    headThen.version() + " in the topic",
                    headNow.version() + " taken in"));
            return;
        }
        movedOn++;
        questions += then.size();
        new ChangedSince(
                        headThen,
                        headNow,
                        (kind, question, topicSays, catalogueSays) ->
                                differences.accept(difference(partition, kind, question, topicSays, catalogueSays)))
                .compare(then, now);
    }

    /**
     * Whether the comparison counts: not when the partition moved on under it, nor when it may have done so before and that is what was found.
     */
    private boolean compareWithKafka(
            KafkaCaches kafka, TopicIdPartition partition, PartitionKey key, PartitionHead head, boolean asItStands) {
        List<Difference> found = new ArrayList<>();
        long asked = comparison.compare(kafka, partition, key, head, found);
        boolean asExpected =
                found.stream().allMatch(difference -> difference.kind().expected());
        if (asked == KafkaComparison.MOVED || !(asItStands || asExpected)) {
            return false;
        }
        same++;
        questions += asked;
        found.forEach(differences);
        return true;
    }

    private static void put(Map<UUID, SegmentRecord> segments, SegmentRecord segment) {
        if (segment.state().live()) {
            segments.put(segment.segmentId(), segment);
        } else {
            segments.remove(segment.segmentId());
        }
    }

    private static Difference difference(
            TopicIdPartition partition, Kind kind, String question, Object kafka, Object catalogue) {
        return new Difference(
                kind,
                partition.topic(),
                partition.topicId().toString(),
                partition.partition(),
                question,
                kafka.toString(),
                catalogue.toString());
    }

    private void read(Offsets offsets, MetadataReader reader, Consumer<List<MetadataRecord>> sink) {
        long[] reported = {offsets.start()};
        new BoundedRead(reader, STALL)
                .read(offsets.partition(), offsets.start(), offsets.end(), (records, position) -> {
                    sink.accept(records);
                    listener.read(position - reported[0]);
                    reported[0] = position;
                    ensureGoingOn();
                    return true;
                });
    }

    private void ensureGoingOn() {
        if (stopped.getAsBoolean()) {
            throw ToolFailure.refused("stopped before everything was compared");
        }
    }
}
