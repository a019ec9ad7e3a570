package dev.shelfmark.tool.migrate.exporting;

import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.admin.BulkLoader.Checkpoint;
import dev.shelfmark.tool.console.ProgressListener;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.BoundedRead;
import dev.shelfmark.tool.kafka.MetadataReader;
import dev.shelfmark.tool.kafka.MetadataTopic;
import dev.shelfmark.tool.kafka.MetadataTopic.Offsets;
import dev.shelfmark.tool.migrate.verify.Difference;
import dev.shelfmark.tool.migrate.verify.KafkaComparison;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.server.log.remote.metadata.storage.RemoteLogMetadataTopicPartitioner;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadata;

/**
 * Brings the metadata topic up to date with the catalogue: reads what Kafka's cache makes of the topic, writes what is missing, and
 * does so again until nothing is. The last pass, which writes nothing, asks Kafka's cache and the catalogue every question on which
 * they could differ. Safe to repeat after a kill at any point: what was written is found, what was not is written.
 *
 * <p>It holds one metadata partition's part of the catalogue in memory at a time, as Kafka's cache does.
 */
public final class CatalogueExport {

    private static final Duration STALL = Duration.ofSeconds(60);

    private final CatalogueStore store;
    private final String clusterId;
    private final Known known;
    private final EventSink sink;
    private final ProgressListener listener;
    private final BooleanSupplier stopped;
    private final KafkaComparison comparison;

    /**
     * What is known before it begins.
     *
     * @param partitions every partition that the catalogue has, read anew by each pass
     * @param topicNames names of the topics that the cluster has, by id; the others are called as the catalogue remembers
     * @param imported how far each metadata partition was imported
     * @param forgetUnknown whether segments that only the topic has are deleted from it, whatever they are
     */
    public record Known(
            Supplier<List<PartitionKey>> partitions,
            Map<UUID, String> topicNames,
            Map<Integer, Checkpoint> imported,
            boolean forgetUnknown) {}

    /**
     * What one pass did.
     *
     * @param events how many events were missing in the topic, and were written
     * @param partitions how many user partitions were compared with the catalogue
     * @param moved how many of them changed while they were compared, so that nothing is proven of them
     * @param questions how many questions were asked of Kafka's cache and the catalogue
     */
    public record Pass(long events, long partitions, long moved, long questions) {

        /** Whether the topic says all that the catalogue says. */
        public boolean complete() {
            return events == 0 && moved == 0;
        }

        private Pass and(Pass other) {
            return new Pass(
                    events + other.events,
                    partitions + other.partitions,
                    moved + other.moved,
                    questions + other.questions);
        }
    }

    public CatalogueExport(
            CatalogueStore store,
            String clusterId,
            Known known,
            EventSink sink,
            ProgressListener listener,
            BooleanSupplier stopped,
            Consumer<Difference> differences) {
        this.store = store;
        this.clusterId = clusterId;
        this.known = known;
        this.sink = sink;
        this.listener = listener;
        this.stopped = stopped;
        this.comparison = new KafkaComparison(store, clusterId, differences);
    }

    /**
     * Goes through the whole topic once.
     *
     * @param topic as it stands now
     * @param reader reads it
     */
    public Pass pass(MetadataTopic topic, MetadataReader reader) {
        Map<Integer, List<PartitionKey>> keys =
                byMetadataPartition(topic.partitions().size());
        listener.begins(topic.records());
        Pass sum = new Pass(0, 0, 0, 0);
        for (Offsets offsets : topic.partitions()) {
            TopicReplay replay = read(offsets, reader);
            Writer writer = new Writer(topic, offsets.partition(), replay);
            writer.ensureNothingUnknown(keys.getOrDefault(offsets.partition(), List.of()));
            for (PartitionKey key : keys.getOrDefault(offsets.partition(), List.of())) {
                ensureGoingOn();
                writer.bring(key);
            }
            sink.flush();
            sum = sum.and(new Pass(writer.events, writer.partitions, writer.moved, writer.questions));
        }
        return sum;
    }

    private Map<Integer, List<PartitionKey>> byMetadataPartition(int count) {
        RemoteLogMetadataTopicPartitioner partitioner = new RemoteLogMetadataTopicPartitioner(count);
        Map<Integer, List<PartitionKey>> sorted = new TreeMap<>();
        for (PartitionKey key : known.partitions().get()) {
            int metadataPartition = partitioner.metadataPartition(named(key, ""));
            sorted.computeIfAbsent(metadataPartition, unused -> new ArrayList<>())
                    .add(key);
        }
        return sorted;
    }

    /** As Kafka names it. The partitioner looks at the id alone. */
    private TopicIdPartition named(PartitionKey key, String rememberedName) {
        String name = known.topicNames().getOrDefault(key.topicId(), rememberedName);
        return new TopicIdPartition(KafkaMapping.uuid(key.topicId()), new TopicPartition(name, key.partition()));
    }

    private TopicReplay read(Offsets offsets, MetadataReader reader) {
        TopicReplay replay = new TopicReplay(clusterId);
        if (offsets.end() > offsets.start()) {
            long[] reported = {offsets.start()};
            new BoundedRead(reader, STALL)
                    .read(offsets.partition(), offsets.start(), offsets.end(), (records, position) -> {
                        replay.read(records);
                        listener.read(position - reported[0]);
                        reported[0] = position;
                        ensureGoingOn();
                        return true;
                    });
        }
        return replay;
    }

    /** Brings the user partitions of one metadata partition up to date. */
    private final class Writer {

        private final MetadataTopic topic;
        private final int metadataPartition;
        private final TopicReplay replay;
        private final Map<PartitionKey, TopicIdPartition> inTopic;
        private long events;
        private long partitions;
        private long moved;
        private long questions;

        Writer(MetadataTopic topic, int metadataPartition, TopicReplay replay) {
            this.topic = topic;
            this.metadataPartition = metadataPartition;
            this.replay = replay;
            this.inTopic = replay.partitions();
        }

        /** A partition that only the topic has was never imported: leaving it as it is would be a guess, and so would deleting it. */
        void ensureNothingUnknown(List<PartitionKey> keys) {
            Map<PartitionKey, TopicIdPartition> unknown = new HashMap<>(inTopic);
            keys.forEach(unknown::remove);
            unknown.values()
                    .removeIf(partition -> replay.caches().deleted(partition)
                            || replay.caches().list(partition).isEmpty());
            if (!unknown.isEmpty()) {
                String first = unknown.values().stream()
                        .map(TopicIdPartition::toString)
                        .min(Comparator.naturalOrder())
                        .orElse("");
                throw ToolFailure.refused("the topic has segments of " + unknown.size()
                        + " partitions of which the catalogue knows nothing, such as " + first
                        + ". Import them first, or find out who writes to the topic");
            }
        }

        void bring(PartitionKey key) {
            Map<UUID, SegmentRecord> records = new LinkedHashMap<>();
            PartitionHead head = store.read(
                    key, new Selection.ChangedSince(0), segment -> records.put(segment.segmentId(), segment));
            TopicIdPartition theirs = inTopic.get(key);
            boolean gone = !known.topicNames().containsKey(key.topicId())
                    && records.values().stream()
                            .noneMatch(record -> record.state().live());
            if (theirs == null && gone) {
                return;
            }
            TopicIdPartition partition = theirs == null ? named(key, head.topicName()) : theirs;
            List<RemoteLogMetadata> missing = PartitionPlan.events(
                    partition,
                    replay.caches(),
                    theirs != null,
                    segment -> known.forgetUnknown()
                            || imported(KafkaMapping.uuid(
                                    segment.remoteLogSegmentId().id())),
                    head,
                    records.values());
            partitions++;
            if (!missing.isEmpty()) {
                missing.forEach(event -> sink.write(metadataPartition, event));
                events += missing.size();
            } else if (theirs != null) {
                long asked = comparison.compare(replay.caches(), partition);
                moved += asked == KafkaComparison.MOVED ? 1 : 0;
                questions += Math.max(0, asked);
            }
        }

        /** Whether the record that brought a segment in was imported, so that the catalogue has known it. */
        private boolean imported(UUID segmentId) {
            Checkpoint checkpoint = known.imported().get(metadataPartition);
            return checkpoint != null
                    && checkpoint.sourceId().equals(topic.id().toString())
                    && replay.firstNamed(segmentId)
                            .filter(offset -> offset < checkpoint.nextOffset())
                            .isPresent();
        }
    }

    private void ensureGoingOn() {
        if (stopped.getAsBoolean()) {
            throw ToolFailure.refused("stopped as told; the same command goes on from here");
        }
    }
}
