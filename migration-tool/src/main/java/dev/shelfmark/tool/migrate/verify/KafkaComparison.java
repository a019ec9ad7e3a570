package dev.shelfmark.tool.migrate.verify;

import dev.shelfmark.catalogue.CatalogueListener;
import dev.shelfmark.catalogue.CatalogueSettings;
import dev.shelfmark.catalogue.SegmentCatalogue;
import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.Selection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.server.log.remote.metadata.storage.KafkaCaches;

/** Compares partitions of the catalogue with Kafka's cache, one at a time, each as it was at one version. Used by one thread. */
public final class KafkaComparison {

    /** What is returned for a partition that moved on under the comparison, which then is worth nothing. */
    public static final long MOVED = -1;

    private final CatalogueStore store;
    private final SegmentCatalogue catalogue;
    private final String clusterId;
    private final Consumer<Difference> differences;

    public KafkaComparison(CatalogueStore store, String clusterId, Consumer<Difference> differences) {
        this.store = store;
        // Answers from memory for as long as one partition takes; nothing is read ahead of need.
        CatalogueSettings settings = new CatalogueSettings(
                100_000, Duration.ofHours(1), Duration.ofHours(1), Duration.ZERO, Duration.ofMinutes(5));
        this.catalogue = new SegmentCatalogue(store, settings, CatalogueListener.NONE, task -> {
            throw new RejectedExecutionException("nothing is read ahead of need");
        });
        this.clusterId = clusterId;
        this.differences = differences;
    }

    /** How many questions were asked, or {@link #MOVED}; then no difference was told. */
    public long compare(KafkaCaches kafka, TopicIdPartition partition) {
        PartitionKey key = KafkaMapping.key(clusterId, partition);
        List<Difference> found = new ArrayList<>();
        long questions = compare(kafka, partition, key, head(key), found);
        if (questions != MOVED) {
            found.forEach(differences);
        }
        return questions;
    }

    /** The same; differences are added to the list, even when they are worth nothing. */
    long compare(
            KafkaCaches kafka,
            TopicIdPartition partition,
            PartitionKey key,
            PartitionHead head,
            List<Difference> found) {
        PartitionComparison comparison = new PartitionComparison(kafka, catalogue, partition, key, found::add);
        comparison.compare(head);
        catalogue.forget();
        return head(key).version() == head.version() ? comparison.questions() : MOVED;
    }

    PartitionHead head(PartitionKey key) {
        return store.read(key, new Selection.HeadOnly(), segment -> {});
    }
}
