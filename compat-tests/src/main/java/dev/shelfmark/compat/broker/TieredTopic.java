package dev.shelfmark.compat.broker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** A topic of a {@link TestCluster}: where its log stands in each tier, and what an operator does with it. */
public final class TieredTopic {

    private static final Duration TIER_LIMIT = Duration.ofSeconds(90);
    private static final Duration POLL = Duration.ofMillis(100);

    private final TestCluster cluster;
    private final String name;
    private final Uuid id;

    private TieredTopic(TestCluster cluster, String name, Uuid id) {
        this.cluster = cluster;
        this.name = name;
        this.id = id;
    }

    static TieredTopic create(TestCluster cluster, TopicSpec spec) {
        Map<Integer, List<Integer>> assignment = new HashMap<>();
        for (int partition = 0; partition < spec.replicas().size(); partition++) {
            assignment.put(partition, spec.replicas().get(partition));
        }
        NewTopic topic = new NewTopic(spec.name(), assignment).configs(spec.config());
        var created = cluster.admin().createTopics(List.of(topic));
        Kafka.answer(created.all(), "creating topic " + spec.name());
        Uuid id = Kafka.answer(created.topicId(spec.name()), "the id of topic " + spec.name());
        TieredTopic tiered = new TieredTopic(cluster, spec.name(), id);
        for (int partition = 0; partition < spec.replicas().size(); partition++) {
            tiered.awaitLeader(partition, leader -> true);
        }
        return tiered;
    }

    /** The topic's name. */
    public String name() {
        return name;
    }

    /** The topic's id. */
    public Uuid id() {
        return id;
    }

    /** The cluster that it is in. */
    public TestCluster cluster() {
        return cluster;
    }

    /** A partition by its number. */
    public TopicPartition partition(int number) {
        return new TopicPartition(name, number);
    }

    /** Where a partition's log stands. */
    public TierOffsets offsets(int partition) {
        return new TierOffsets(
                offset(partition, OffsetSpec.earliest()),
                offset(partition, OffsetSpec.earliestLocal()),
                offset(partition, OffsetSpec.latestTiered()),
                offset(partition, OffsetSpec.latest()));
    }

    private long offset(int partition, OffsetSpec spec) {
        Admin admin = cluster.admin();
        return Kafka.answer(
                        admin.listOffsets(Map.of(partition(partition), spec)).partitionResult(partition(partition)),
                        "the " + spec.getClass().getSimpleName() + " of " + partition(partition))
                .offset();
    }

    /** Waits until a partition's log stands as it should; a failure says where it stands instead. */
    public TierOffsets await(int partition, String what, Predicate<TierOffsets> condition) {
        AtomicReference<TierOffsets> last = new AtomicReference<>();
        try {
            Awaitility.await(partition(partition) + " " + what)
                    .atMost(TIER_LIMIT)
                    .pollInterval(POLL)
                    .until(() -> {
                        TierOffsets now = offsets(partition);
                        last.set(now);
                        return condition.test(now);
                    });
        } catch (ConditionTimeoutException e) {
            throw new IllegalStateException(
                    partition(partition) + " is not " + what + " after " + TIER_LIMIT + "; it stands at " + last.get(),
                    e);
        }
        return Objects.requireNonNull(last.get());
    }

    /** Waits until all but the active segment is in the remote tier, and there only. */
    public TierOffsets awaitTiered(int partition) {
        return await(
                partition,
                "tiered and gone locally",
                now -> now.latestTiered() >= 0
                        && now.localStart() == now.latestTiered() + 1
                        && activeSegmentOnly(partition, now));
    }

    /** The log on the leader's disk: its first segment file is the active one, when nothing else is left to tier. */
    private boolean activeSegmentOnly(int partition, TierOffsets now) {
        return LocalLog.of(leader(partition), partition(partition))
                .baseOffsets()
                .equals(List.of(now.localStart()));
    }

    /** The broker that leads a partition. */
    public Broker leader(int partition) {
        return awaitLeader(partition, leader -> true);
    }

    /** Waits for a leader of which something is true. */
    public Broker awaitLeader(int partition, Predicate<Broker> condition) {
        AtomicReference<Broker> found = new AtomicReference<>();
        Awaitility.await("a leader of " + partition(partition))
                .atMost(TIER_LIMIT)
                .pollInterval(POLL)
                .until(() -> {
                    Optional<Broker> leader = leaderNow(partition);
                    leader.ifPresent(found::set);
                    return leader.isPresent() && condition.test(leader.get());
                });
        return Objects.requireNonNull(found.get());
    }

    private Optional<Broker> leaderNow(int partition) {
        return description()
                .map(topic -> topic.partitions().get(partition).leader())
                .filter(node -> node.id() >= 0)
                .map(node -> cluster.broker(node.id()));
    }

    private Optional<TopicDescription> description() {
        try {
            return Optional.ofNullable(
                    Kafka.answer(cluster.admin().describeTopics(List.of(name)).allTopicNames(), "describing " + name)
                            .get(name));
        } catch (IllegalStateException notYet) {
            return Optional.empty();
        }
    }

    /** Waits until exactly these brokers are in sync. */
    public void awaitInSync(int partition, Set<Integer> brokers) {
        Awaitility.await("the in-sync replicas of " + partition(partition) + " to be " + brokers)
                .atMost(TIER_LIMIT)
                .pollInterval(POLL)
                .until(() -> description()
                        .map(topic -> topic.partitions().get(partition))
                        .map(TopicPartitionInfo::isr)
                        .filter(isr ->
                                Set.copyOf(isr.stream().map(Node::id).toList()).equals(brokers))
                        .isPresent());
    }

    /** Moves a partition to these brokers and waits until they are in sync. */
    public void moveTo(int partition, List<Integer> brokers) {
        Kafka.answer(
                cluster.admin()
                        .alterPartitionReassignments(Map.of(
                                partition(partition),
                                Optional.of(new NewPartitionReassignment(new ArrayList<>(brokers)))))
                        .all(),
                "moving " + partition(partition) + " to " + brokers);
        awaitInSync(partition, Set.copyOf(brokers));
    }

    /** Makes one of its brokers lead, as the first of the replicas. */
    public void lead(int partition, int leader, List<Integer> replicas) {
        moveTo(partition, replicas);
        if (leader(partition).id() == leader) {
            return;
        }
        Kafka.answer(
                cluster.admin()
                        .electLeaders(ElectionType.PREFERRED, Set.of(partition(partition)))
                        .all(),
                "electing the preferred leader of " + partition(partition));
        awaitLeader(partition, broker -> broker.id() == leader);
    }

    /** Changes the topic's configuration. */
    public void configure(String key, String value) {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, name);
        AlterConfigOp change = new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
        Kafka.answer(
                cluster.admin()
                        .incrementalAlterConfigs(Map.of(topic, List.of(change)))
                        .all(),
                "setting " + key + " of " + name);
    }

    /** Deletes the topic; its remote segments go a little later. */
    public void delete() {
        Kafka.answer(cluster.admin().deleteTopics(List.of(name)).all(), "deleting topic " + name);
    }

    /** The ids of the segments in the remote tier. */
    public Set<String> remoteSegments(int partition) {
        return cluster.remoteTier().segments(id, partition);
    }

    @Override
    public String toString() {
        return name + " (" + id + ")";
    }
}
