package dev.shelfmark.plugin;

import dev.shelfmark.plugin.cluster.ClusterWatch;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long the broker's metadata thread waits for the deletion of a topic. Kafka waits on that thread for each partition in turn, without a bound of
 * its own, and creates no topic meanwhile. So one wait is enough: once it was in vain, the deletions that follow fail at once until the store was
 * seen to answer. Kafka does not delete again; the operator is told, once for each topic.
 */
public final class DeletionWrites {

    private static final Logger LOG = LoggerFactory.getLogger(DeletionWrites.class);
    private static final int MANY = 1_000;

    private final ClusterWatch watch;
    private final Set<Uuid> told = ConcurrentHashMap.newKeySet();
    private volatile long failedAtNanos;
    private volatile boolean failed;

    DeletionWrites(ClusterWatch watch) {
        this.watch = watch;
    }

    /** How long a write of the calling thread may take: as usual, or less on the metadata thread; zero: it fails at once. */
    public Duration limit(Duration usual) {
        if (BrokerThread.current() != BrokerThread.METADATA) {
            return usual;
        }
        if (failed && watch.sight().seenAtNanos() - failedAtNanos <= 0) {
            return Duration.ZERO;
        }
        return usual.compareTo(BrokerThread.METADATA_WAIT) < 0 ? usual : BrokerThread.METADATA_WAIT;
    }

    /** A read or a write of the metadata thread failed, so that Kafka gives this partition's deletion up. */
    public void failed(TopicIdPartition partition, String why) {
        failedAtNanos = System.nanoTime();
        failed = true;
        if (told.size() >= MANY) {
            told.clear();
        }
        if (told.add(partition.topicId())) {
            LOG.warn(
                    "Topic {} ({}): its deletion could not be recorded, and Kafka does not try again; its remote segments stay."
                            + " When the database answers, 'shelfmark check' with --bootstrap-server lists what is left. Told once for each topic: {}",
                    partition.topic(),
                    partition.topicId(),
                    why);
        }
    }
}
