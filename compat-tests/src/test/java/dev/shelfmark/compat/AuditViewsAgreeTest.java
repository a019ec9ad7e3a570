package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.compat.postgres.PostgresDatabase;
import dev.shelfmark.compat.postgres.PostgresServer;
import dev.shelfmark.jdbc.JdbcStoreProvider;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.tool.audit.check.Anomaly;
import dev.shelfmark.tool.audit.check.AnomalyKind;
import dev.shelfmark.tool.audit.check.CatalogueCheck;
import dev.shelfmark.tool.audit.check.CheckSettings;
import dev.shelfmark.tool.audit.check.Finding;
import dev.shelfmark.tool.audit.walk.CatalogueWalk;
import dev.shelfmark.tool.audit.walk.PartitionFilter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code shelfmark check} and the view {@code shelfmark_audit.anomalies} say the same of catalogues in which anything may be wrong. */
@Timeout(300)
final class AuditViewsAgreeTest {

    private static final String CLUSTER = "agreeing";
    private static final int PARTITIONS = 300;
    private static final List<Duration> AGES = List.of(
            Duration.ofMinutes(1), Duration.ofHours(7), Duration.ofDays(8), Duration.ofDays(9), Duration.ofDays(30));

    private final JdbcStoreProvider provider = new JdbcStoreProvider();
    private final Instant now = Instant.now();
    private final Random random = new Random(Long.getLong("shelfmark.seed", 42));

    @BeforeAll
    static void skip() {
        SkippedBackEnds.abortIfNamed("postgres");
    }

    private StoreContext context(Map<String, String> settings) {
        return new StoreContext(
                provider.configDef().parse(settings), Retention.NONE, "shelfmark-compat", StoreListener.NONE);
    }

    @Test
    void bothSayTheSame() {
        try (PostgresServer server = PostgresServer.start();
                PostgresDatabase database = server.createDatabase()) {
            try (StoreAdministration administration = provider.administration(context(database.ownerSettings()))) {
                administration.migrate();
                administration.putCluster(new ClusterRecord(CLUSTER, ClusterState.READY, 1, now, "test", ""));
            }
            try (CatalogueStore store = provider.open(context(database.settings(PostgresDatabase.BROKER)))) {
                for (int i = 0; i < PARTITIONS; i++) {
                    plant(TestPartition.of(store, CLUSTER), i == 0 ? 1_001 : 2 + random.nextInt(7));
                }
            }
            database.execute("""
                    update shelfmark.segment set deleted_at = to_timestamp(event_timestamp_ms / 1000.0) where deleted_at is not null;
                    update shelfmark.topic_partition set live_segments = live_segments + 1 where id % 20 = 3;
                    update shelfmark.topic_partition set max_offset_span = 7 where id % 20 = 4;
                    update shelfmark.topic_partition p set version = version - 1 where id % 20 = 5 and version > 1 and version in (
                      select version from shelfmark.segment where partition_id = p.id and deleted_at is null);
                    update shelfmark.epoch_highest_offset set highest_offset = highest_offset - 1 where partition_id % 20 = 6 and highest_offset > 0;
                    delete from shelfmark.epoch_highest_offset where partition_id % 20 = 7;
                    update shelfmark.segment s set state = 9 where partition_id % 20 = 8 and deleted_at is null and start_offset = (
                      select max(start_offset) from shelfmark.segment where partition_id = s.partition_id and deleted_at is null)
                      and epoch_start_offsets[1] = start_offset and epoch_start_offsets[cardinality(epoch_start_offsets)] <= end_offset + 1;
                    """);
            Set<String> check = check(database);
            Set<String> view = view(database);

            assertThat(without(check, view)).as("what only check tells").isEmpty();
            assertThat(without(view, check)).as("what only the view tells").isEmpty();
            assertThat(check.stream().map(row -> row.split(" ", 2)[0]).collect(Collectors.toSet()))
                    .as("kinds that were there to be found")
                    .isEqualTo(EnumSet.complementOf(EnumSet.of(AnomalyKind.UNKNOWN_TOPIC)).stream()
                            .map(AnomalyKind::name)
                            .collect(Collectors.toSet()));
        }
    }

    private static Set<String> without(Set<String> all, Set<String> others) {
        return all.stream().filter(row -> !others.contains(row)).collect(Collectors.toSet());
    }

    /** A chain of segments as leaders make it, of which some are missing, doubled, moved or in another state. */
    private void plant(TestPartition partition, int count) {
        List<SegmentRecord> segments = new ArrayList<>();
        Map<Integer, Long> highest = new HashMap<>();
        int epoch = 0;
        for (int i = 0; i < count; i++) {
            long start = 10L * i;
            long end = start + 9;
            TreeMap<Integer, Long> epochs = new TreeMap<>(Map.of(epoch, start));
            if (random.nextInt(3) == 0) {
                epoch += 1 + random.nextInt(2);
                epochs.put(epoch, start + random.nextInt(11));
            }
            int accident = count > 100 ? 9 : random.nextInt(12);
            if (accident == 0) {
                continue;
            }
            if (accident == 1 && i == count - 1) {
                // The last one, since of what is damaged neither can tell what it holds, and each guesses in its own
                // way.
                epochs.replaceAll((each, from) -> from + random.nextInt(2));
                epochs.put(epoch + 9, start + 9 + random.nextInt(4));
            }
            segments.add(segment(start, end, epochs, count > 100 ? SegmentState.COPY_SEGMENT_FINISHED : state()));
            if (accident == 2) {
                segments.add(segment(start, end + random.nextInt(6), epochs, SegmentState.COPY_SEGMENT_FINISHED));
            } else if (accident == 3) {
                TreeMap<Integer, Long> moved = new TreeMap<>(Map.of(epochs.firstKey(), start + 4));
                segments.add(segment(start + 4, end + 4, moved, SegmentState.COPY_SEGMENT_FINISHED));
            }
        }
        Collections.shuffle(segments, random);
        for (SegmentRecord segment : segments) {
            if (segment.state() == SegmentState.COPY_SEGMENT_FINISHED) {
                LeaderEpochs epochs = segment.leaderEpochs();
                for (int i = 0; i < epochs.size(); i++) {
                    highest.merge(epochs.epoch(i), epochs.endOffset(i, segment.endOffset()), Math::max);
                }
            }
        }
        highest.values().removeIf(offset -> offset < 0);
        for (int from = 0; from < segments.size(); from += 50) {
            SegmentRecord[] some =
                    segments.subList(from, Math.min(segments.size(), from + 50)).toArray(new SegmentRecord[0]);
            partition.commit(partition.next(highest, some));
        }
    }

    private SegmentState state() {
        return switch (random.nextInt(12)) {
            case 0 -> SegmentState.COPY_SEGMENT_STARTED;
            case 1 -> SegmentState.DELETE_SEGMENT_STARTED;
            case 2 -> SegmentState.DELETE_SEGMENT_FINISHED;
            default -> SegmentState.COPY_SEGMENT_FINISHED;
        };
    }

    private SegmentRecord segment(long start, long end, NavigableMap<Integer, Long> epochs, SegmentState state) {
        long changed = now.minus(AGES.get(random.nextInt(AGES.size()))).toEpochMilli();
        return SegmentRecord.builder(UUID.randomUUID(), start, end, LeaderEpochs.of(epochs))
                .state(state)
                .maxTimestampMs(changed - 1_000)
                .sizeInBytes(1_000_000)
                .txnIndexEmpty(true)
                .brokerId(1)
                .eventTimestampMs(changed)
                .build();
    }

    private Set<String> check(PostgresDatabase database) {
        List<Anomaly> found = new ArrayList<>();
        StoreContext auditor = context(database.settings(PostgresDatabase.AUDITOR));
        try (CatalogueListing listing = provider.listing(auditor);
                CatalogueStore store = provider.open(auditor)) {
            CatalogueWalk walk = new CatalogueWalk(
                    listing, new PartitionFilter(CLUSTER, null, Set.of()), 100, () -> false, unused -> {});
            new CatalogueCheck(walk, store, CheckSettings.defaults(Instant.now()), null, found::add).run();
        }
        return found.stream()
                .map(anomaly -> {
                    Finding finding = anomaly.finding();
                    return row(
                            finding.kind(),
                            anomaly.topicId(),
                            finding.segmentId(),
                            finding.startOffset(),
                            finding.endOffset(),
                            finding.epoch());
                })
                .collect(Collectors.toSet());
    }

    private static Set<String> view(PostgresDatabase database) {
        Map<String, String> login = database.settings(PostgresDatabase.AUDITOR);
        try (Connection connection = DriverManager.getConnection(
                        login.get("jdbc.url"), login.get("jdbc.user"), login.get("jdbc.password"));
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select * from shelfmark_audit.anomalies")) {
            List<String> all = new ArrayList<>();
            while (rows.next()) {
                all.add(row(
                        rows.getString("kind"),
                        rows.getString("topic_id"),
                        rows.getString("segment_id"),
                        rows.getObject("start_offset"),
                        rows.getObject("end_offset"),
                        rows.getObject("leader_epoch")));
            }
            return Set.copyOf(all);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static String row(Object kind, @Nullable Object... values) {
        // Of a damaged row the command tells what it can read, and the view what stands there.
        boolean damaged = kind.toString().equals(AnomalyKind.UNREADABLE_ROW.name());
        return kind + " "
                + Stream.of(values)
                        .limit(damaged ? 2 : values.length)
                        .map(Objects::toString)
                        .collect(Collectors.joining(" "));
    }
}
