package dev.shelfmark.tool.audit.check;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.CatalogueListing.Kept;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.tool.audit.walk.CatalogueWalk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks for anomalies, partition after partition.
 *
 * <p>A listing is read page by page while brokers write. So what a look finds counts only when the partition stayed at one version from
 * before the look until after it; otherwise it is looked at again. In a partition that never rests what is found counts when every one
 * of several looks has found it, except what only a look at one version can tell.
 */
public final class CatalogueCheck {

    private static final int MAX_LOOKS = 5;
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final CatalogueWalk walk;
    private final CatalogueStore store;
    private final CheckSettings settings;
    private final @Nullable ClusterTopics topics;
    private final Consumer<Anomaly> anomalies;
    private long restless;

    /**
     * A check.
     *
     * @param topics what the brokers tell, or null when they were not asked
     * @param anomalies takes what is found
     */
    public CatalogueCheck(
            CatalogueWalk walk,
            CatalogueStore store,
            CheckSettings settings,
            @Nullable ClusterTopics topics,
            Consumer<Anomaly> anomalies) {
        this.walk = walk;
        this.store = store;
        this.settings = settings;
        this.topics = topics;
        this.anomalies = anomalies;
    }

    /** Checks every partition of the walk. */
    public void run() {
        walk.partitions(this::check, this::unreadable);
    }

    /** How many partitions changed during every look, so that their heads could not be compared. */
    public long restless() {
        return restless;
    }

    /** Tells of the row of a partition that can't be understood. */
    public void unreadable(CatalogueWalk.UnreadablePartition row) {
        anomalies.accept(new Anomaly(
                row.clusterId(), "", row.id(), null, Finding.ofPartition(AnomalyKind.UNREADABLE_ROW, row.reason())));
    }

    /** Checks one partition. */
    public void check(PartitionSummary partition) {
        long version = partition.version();
        List<Finding> confirmed = null;
        for (int looks = 0; looks < MAX_LOOKS; looks++) {
            Look look;
            try {
                look = look(partition.key());
            } catch (StoreException.Corrupt e) {
                anomalies.accept(Anomaly.of(
                        partition, Finding.ofPartition(AnomalyKind.UNREADABLE_ROW, String.valueOf(e.getMessage()))));
                return;
            }
            if (look.findings().isEmpty() || look.version() == version) {
                report(partition, look.findings());
                return;
            }
            version = look.version();
            confirmed = confirmed == null ? look.findings() : both(confirmed, look.findings());
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(PAUSE.toNanos()) + 1);
        }
        restless++;
        report(
                partition,
                confirmed == null
                        ? List.of()
                        : confirmed.stream()
                                .filter(finding -> finding.kind() != AnomalyKind.HEAD_MISMATCH)
                                .toList());
    }

    private static List<Finding> both(List<Finding> before, List<Finding> now) {
        Set<Object> identities = before.stream().map(Finding::identity).collect(Collectors.toSet());
        return now.stream()
                .filter(finding -> identities.contains(finding.identity()))
                .toList();
    }

    private void report(PartitionSummary partition, List<Finding> findings) {
        findings.forEach(finding -> anomalies.accept(Anomaly.of(partition, finding)));
    }

    /** What a look found, and the version of the head that was read after it. */
    private record Look(long version, List<Finding> findings) {}

    private Look look(PartitionKey key) {
        List<Rule> rules = rules(key);
        walk.segments(
                key,
                Kept.LIVE,
                segment -> rules.forEach(rule -> rule.live(segment)),
                row -> rules.forEach(rule -> rule.unreadable(row, Kept.LIVE)));
        walk.segments(
                key,
                Kept.DELETED,
                segment -> rules.forEach(rule -> rule.deleted(segment)),
                row -> rules.forEach(rule -> rule.unreadable(row, Kept.DELETED)));
        PartitionHead head = store.read(key, new Selection.HeadOnly(), unused -> {});
        List<Finding> findings = new ArrayList<>();
        rules.forEach(rule -> rule.end(head, findings::add));
        return new Look(head.version(), findings);
    }

    private List<Rule> rules(PartitionKey key) {
        List<Rule> rules = new ArrayList<>(List.of(
                new UnreadableRule(),
                new HeadRule(),
                new GapRule(settings),
                new OverlapRule(),
                new SupersededRule(
                        settings, topics == null ? settings.retention() : topics.retention(key, settings.retention())),
                DanglingRule.ofCopies(settings),
                DanglingRule.ofDeletions(settings),
                new LogStartRule(settings),
                new EpochsRule(),
                new HighestOffsetRule(),
                new PurgeRule(settings),
                new SmallSegmentsRule(settings)));
        if (topics != null && topics.knowsNothingOf(key)) {
            rules.add(new UnknownTopicRule(settings));
        }
        return rules;
    }
}
