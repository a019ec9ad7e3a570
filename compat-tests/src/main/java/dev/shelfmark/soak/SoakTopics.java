package dev.shelfmark.soak;

import dev.shelfmark.compat.broker.TestCluster;
import dev.shelfmark.compat.broker.TieredTopic;
import dev.shelfmark.compat.broker.TopicSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The topics of a soak: some that last, and some that an operator creates and deletes. */
final class SoakTopics {

    private static final int PARTITIONS = 2;

    private final TestCluster cluster;
    private final List<TieredTopic> lasting = new ArrayList<>();
    private final TieredTopic shortened;
    private final Map<String, TieredTopic> brief = new ConcurrentHashMap<>();
    private final Map<String, TieredTopic> deleted = new ConcurrentHashMap<>();
    private int created;

    SoakTopics(TestCluster cluster) {
        this.cluster = cluster;
        lasting.add(cluster.create(everywhere("idempotent")));
        lasting.add(cluster.create(everywhere("transactional")));
        shortened = cluster.create(everywhere("shortened"));
    }

    private static TopicSpec everywhere(String name) {
        return TopicSpec.named(name, 1, 2, 3).partitions(PARTITIONS).with("min.insync.replicas", "2");
    }

    int partitions() {
        return PARTITIONS;
    }

    /** Whose records all stay: the first without transactions, the second with them. */
    List<TieredTopic> lasting() {
        return lasting;
    }

    /** Whose oldest records retention deletes. */
    TieredTopic shortened() {
        return shortened;
    }

    /** Creates another one. */
    synchronized TieredTopic create() {
        TieredTopic topic = cluster.create(TopicSpec.named("short-" + ++created, 1, 2, 3));
        brief.put(topic.name(), topic);
        return topic;
    }

    /** Deletes one of those that {@link #create} has made. */
    synchronized Optional<TieredTopic> delete() {
        Optional<TieredTopic> topic = brief.values().stream().findFirst();
        topic.ifPresent(found -> {
            brief.remove(found.name());
            deleted.put(found.name(), found);
            found.delete();
        });
        return topic;
    }

    /** Everything that there is. */
    List<TieredTopic> existing() {
        List<TieredTopic> all = new ArrayList<>(lasting);
        all.add(shortened);
        all.addAll(brief.values());
        return all;
    }

    /** What was deleted. */
    List<TieredTopic> deleted() {
        return List.copyOf(deleted.values());
    }
}
