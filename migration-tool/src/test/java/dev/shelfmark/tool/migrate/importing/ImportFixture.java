package dev.shelfmark.tool.migrate.importing;

import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.LoadClaim;
import dev.shelfmark.store.memory.InMemoryCatalogueListing;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import dev.shelfmark.store.memory.InMemoryCatalogueStore.Database;
import dev.shelfmark.tool.console.ProgressListener;
import dev.shelfmark.tool.kafka.MemoryBrokers;
import dev.shelfmark.tool.kafka.MetadataReader;
import dev.shelfmark.tool.kafka.MetadataTopic;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.TopicIdPartition;

/** Brings a history in memory into a catalogue in memory. */
public final class ImportFixture {

    public static final String CLUSTER = "cluster";
    private static final Duration TERM = Duration.ofSeconds(60);

    final Database database = new Database(Clock.systemUTC());
    public final CatalogueStore store = new InMemoryCatalogueStore(database, Retention.NONE, StoreListener.NONE);
    private final MemoryBrokers brokers;
    private final Path directory;

    public ImportFixture(MemoryBrokers brokers, Path directory) {
        this.brokers = brokers;
        this.directory = directory;
        database.putCluster(new ClusterRecord(CLUSTER, ClusterState.IMPORTING, 1, Instant.EPOCH, "test", ""));
    }

    CatalogueListing listing() {
        return new InMemoryCatalogueListing(database, StoreListener.NONE);
    }

    /** All that is kept of a partition. */
    record Kept(PartitionHead head, List<SegmentRecord> segments) {}

    BulkLoader claim() {
        return ((LoadClaim.Granted) database.claimLoad(CLUSTER, "test", TERM)).loader();
    }

    /** Imports up to the end of what the topic is said to hold, and then follows if told so. */
    ImportCounters run(MetadataTopic topic, boolean follow, int window, UnaryOperator<BulkLoader> wrapped) {
        return run(topic, follow, window, wrapped, UnaryOperator.identity());
    }

    ImportCounters run(
            MetadataTopic topic,
            boolean follow,
            int window,
            UnaryOperator<BulkLoader> wrapped,
            UnaryOperator<MetadataReader> wrappedReader) {
        try (BulkLoader loader = claim();
                MetadataReader reader = wrappedReader.apply(brokers.reader());
                SkippedEvents skipped = SkippedEvents.in(directory.resolve("skipped.jsonl"))) {
            UntilCaughtUp listener = new UntilCaughtUp();
            TopicImport history = new TopicImport(
                    store,
                    wrapped.apply(loader),
                    CLUSTER,
                    topic,
                    reader,
                    skipped,
                    listener,
                    () -> listener.stop,
                    new TopicImport.Limits(window, Duration.ofSeconds(10), Duration.ofMillis(1)));
            history.history();
            if (follow) {
                history.follow();
            }
            return history.tally();
        }
    }

    public ImportCounters runAll(int window) {
        return run(brokers.upTo(Long.MAX_VALUE), false, window, UnaryOperator.identity());
    }

    Map<PartitionKey, Kept> kept(List<TopicIdPartition> partitions) {
        Map<PartitionKey, Kept> all = new HashMap<>();
        for (TopicIdPartition partition : partitions) {
            PartitionKey key = KafkaMapping.key(CLUSTER, partition);
            List<SegmentRecord> segments = new ArrayList<>();
            PartitionHead head = store.read(key, new Selection.All(), segments::add);
            segments.sort(Comparator.comparing(SegmentRecord::segmentId));
            all.put(key, new Kept(head, segments));
        }
        return all;
    }

    /** Listens to nothing but to whether the topic's end was reached. */
    public static final class UntilCaughtUp implements ProgressListener {
        private volatile boolean stop;

        @Override
        public void begins(long records) {}

        @Override
        public void read(long records) {}

        @Override
        public void caughtUp() {}

        @Override
        public void behind(long records) {
            stop = records == 0;
        }

        @Override
        public void retries(String reason) {}
    }
}
