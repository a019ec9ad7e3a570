package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.jdbc.cluster.ClusterDao;
import dev.shelfmark.jdbc.connection.JdbcStoreConfig;
import dev.shelfmark.jdbc.connection.PostgresDataSource;
import dev.shelfmark.jdbc.listing.ListingDao;
import dev.shelfmark.jdbc.partition.CommitStatement;
import dev.shelfmark.jdbc.partition.CommitStatement.Kept;
import dev.shelfmark.jdbc.partition.CommitStatement.Rows;
import dev.shelfmark.jdbc.partition.PartitionDao;
import dev.shelfmark.jdbc.partition.PurgeDao;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The statements of the broker's paths find their rows through indexes, in a table where that matters: 100000 segments, half of them in
 * one partition. Each is tried with a plan for the values at hand and with one for any value, as a server may come to use
 * after a few executions.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class QueryPlanTest {

    private final TestDatabase database = TestServer.shared().database();

    @BeforeAll
    void fill() {
        database.execute("""
                insert into shelfmark.topic_partition
                  (cluster_id, topic_id, partition, topic_name, version, live_segments, max_offset_span)
                select 'c', ('00000000-0000-0000-0000-' || lpad(to_hex(t), 12, '0'))::uuid, 0, 't' || t,
                       case when t = 1 then 99999 else 19 end, 1, 199
                from generate_series(1, 5001) t;

                insert into shelfmark.segment
                  (partition_id, segment_id, start_offset, end_offset, max_timestamp_ms, event_timestamp_ms, version,
                   finished_version, size_in_bytes, broker_id, state, txn_index_empty, leader_epochs, epoch_start_offsets,
                   custom_metadata, deleted_at, deleted_from)
                select p.id, gen_random_uuid(), 100 * i, 100 * i + 199, 0, 0, 2 * i + 1, 2 * i + 1, 1000, 1,
                       case when i % 10 = 0 then 3 else 1 end, i % 100 <> 1, '{1}', array[100 * i], '\\x00010203',
                       case when i % 10 = 0 then now() - interval '1 day' * (i % 30) end,
                       case when i % 10 = 0 then 'c' end
                from shelfmark.topic_partition p
                cross join lateral generate_series(0, case when p.topic_name = 't1' then 49999 else 9 end) i;

                insert into shelfmark.epoch_highest_offset
                select id, e, 100, e from shelfmark.topic_partition cross join generate_series(1, 20) e where topic_name = 't1' or e = 1;
                """);
        database.execute("""
                insert into shelfmark.state_change
                select p.id, v, now() - interval '1 minute' * (30000 - v), now() + interval '1 minute' * (v - 500), 0,
                       gen_random_uuid(), 1, null, 0
                from shelfmark.topic_partition p
                cross join lateral generate_series(1, case when p.topic_name = 't1' then 30000 else 19 end) v
                where p.topic_name = 't1' or p.topic_id::text like '%7'
                """);
        database.execute("""
                insert into shelfmark.state_change_group
                select p.id, 30000 + 500 * g, now(), now() + interval '1 minute' * (g - 60), array_agg(30000 + 500 * (g - 1) + v),
                       array_agg(0), array_agg(gen_random_uuid()), array_agg(1), array_agg(null::smallint), array_agg(0)
                from shelfmark.topic_partition p
                cross join generate_series(1, 120) g
                cross join generate_series(1, 500) v
                where p.topic_name in ('t1', 't7', 't17')
                group by p.id, g
                """);
        // Nearly every partition has a small one, which is what a plan expects of each.
        database.execute("""
                insert into shelfmark.state_change_group
                select p.id, 50 * g, now(), now() + interval '1 day', array_agg(50 * (g - 1) + v), array_agg(0),
                       array_agg(gen_random_uuid()), array_agg(1), array_agg(null::smallint), array_agg(0)
                from shelfmark.topic_partition p
                cross join lateral generate_series(1, case when p.topic_name = 't13' then 300 else 1 end) g
                cross join lateral generate_series(1, case when p.topic_name = 't13' then 50 else 2 end) v
                where p.topic_name not in ('t1', 't7', 't17', 't27')
                group by p.id, g
                """);
        database.execute("vacuum analyze");
    }

    private Explained explain(String sql, boolean generic, String... more) {
        Explained explained = Explained.of(database, sql, generic, withDefaults(more));
        assertThat(explained.toString())
                .doesNotContain(
                        "Seq Scan on segment",
                        "Seq Scan on topic_partition",
                        "Seq Scan on epoch_highest_offset",
                        "Seq Scan on state_change");
        return explained;
    }

    private static Map<String, String> withDefaults(String... more) {
        Map<String, String> values = new HashMap<>(Map.ofEntries(
                Map.entry("clusterId", "'c'::text"),
                Map.entry("topicId", "'00000000-0000-0000-0000-000000000001'::uuid"),
                Map.entry("partition", "0::int"),
                Map.entry("since", "0::bigint"),
                Map.entry("segmentIds", "array[]::uuid[]"),
                Map.entry("topicIds", "array[]::uuid[]"),
                Map.entry("partitions", "array[]::int[]"),
                Map.entry("offset", "0::bigint"),
                Map.entry("afterOffset", "0::bigint"),
                Map.entry("afterId", "'00000000-0000-0000-0000-000000000000'::uuid"),
                Map.entry("limit", "1::int"),
                Map.entry("retentionMillis", "0::bigint")));
        for (int i = 0; i < more.length; i += 2) {
            values.put(more[i], more[i + 1]);
        }
        return values;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingChanged(boolean generic) {
        Explained explained = explain(PartitionDao.CHANGES, generic, "since", "99999::bigint");
        assertThat(explained.pages()).as(explained.toString()).isLessThanOrEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLittleChanged(boolean generic) {
        Explained explained = explain(PartitionDao.CHANGES, generic, "since", "99989::bigint");
        assertThat(explained.toString()).contains("segment_version");
        assertThat(explained.pages()).as(explained.toString()).isLessThan(20);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void head(boolean generic) {
        assertThat(explain(PartitionDao.HEAD, generic).pages()).isLessThan(10);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void versionsOfManyPartitions(boolean generic) {
        String topicIds = IntStream.rangeClosed(1, 100)
                .mapToObj(topic -> String.format("'00000000-0000-0000-0000-%012x'", topic))
                .collect(Collectors.joining(",", "array[", "]::uuid[]"));
        String partitions = "array_fill(0, array[100])::int[]";
        Explained explained = explain(PartitionDao.VERSIONS, generic, "topicIds", topicIds, "partitions", partitions);
        assertThat(explained.pages()).as(explained.toString()).isLessThan(600);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void byId(boolean generic) {
        Explained explained = explain(
                PartitionDao.BY_ID,
                generic,
                "segmentIds",
                "array['00000000-0000-0000-0000-000000000001','00000000-0000-0000-0000-000000000002']::uuid[]");
        assertThat(explained.pages()).as(explained.toString()).isLessThan(20);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void holding(boolean generic) {
        Explained explained = explain(PartitionDao.HOLDING, generic, "offset", "2500050::bigint");
        assertThat(explained.toString()).contains("segment_live_start");
        assertThat(explained.pages()).as(explained.toString()).isLessThan(20);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withTransactionIndex(boolean generic) {
        for (String offset : new String[] {"0", "2500050", "4999999"}) {
            Explained explained = explain(
                    PartitionDao.WITH_TXN_INDEX,
                    generic,
                    "offset",
                    offset + "::bigint",
                    "afterOffset",
                    "-1::bigint",
                    "afterId",
                    "'00000000-0000-0000-0000-000000000000'::uuid",
                    "limit",
                    "5::int");
            assertThat(explained.toString()).contains("segment_live_txn");
            assertThat(explained.pages()).as(explained.toString()).isLessThan(30);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void purge(boolean generic) {
        Explained explained =
                explain(PurgeDao.PURGE, generic, "retentionMillis", "864000000::bigint", "limit", "100::int");
        assertThat(explained.toString()).contains("segment_deleted", "Tid Scan on segment");
        assertThat(explained.pages()).as(explained.toString()).isLessThan(1000);

        Explained nothingDue = explain(
                PurgeDao.PURGE, generic, "clusterId", "'b'::text", "retentionMillis", "0::bigint", "limit", "100::int");
        assertThat(nothingDue.pages()).as(nothingDue.toString()).isLessThan(10);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void purgeOfTheHistory(boolean generic) {
        Explained changes = explain(PurgeDao.PURGE_CHANGES, generic, "limit", "100::int");
        assertThat(changes.toString()).contains("state_change_expiry", "Tid Scan on state_change");
        assertThat(changes.pages()).as(changes.toString()).isLessThan(1000);
        Explained groups = explain(PurgeDao.PURGE_GROUPS, generic, "limit", "10::int");
        assertThat(groups.toString()).contains("state_change_group_expiry", "Tid Scan on state_change_group");
        assertThat(groups.pages()).as(groups.toString()).isLessThan(2000);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pagesOfAHistory(boolean generic) {
        for (String after : new String[] {"1000", "15000", "29999", "61234", "89990"}) {
            Explained explained = explain(
                    Explained.sql(ListingDao.class, "history"),
                    generic,
                    "afterVersion",
                    after + "::bigint",
                    "limit",
                    "101::int");
            assertThat(explained.toString()).contains("state_change_pkey", "state_change_group_pkey");
            assertThat(explained.pages()).as(explained.toString()).isLessThan(150);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void allOfASmallPartitionBesideALargeOne(boolean generic) {
        Explained explained =
                explain(PartitionDao.ALL, generic, "topicId", "'00000000-0000-0000-0000-000000000003'::uuid");
        assertThat(explained.pages()).as(explained.toString()).isLessThan(30);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void commitsToTheLargestPartition(boolean generic) {
        for (CommitStatement shape : CommitStatement.all()) {
            String topicId = shape.first()
                    ? "'00000000-0000-0000-0000-0000000fff00'::uuid"
                    : "'00000000-0000-0000-0000-000000000001'::uuid";
            Explained explained = explain(
                    shape.text(),
                    generic,
                    change(
                            topicId,
                            shape.first() ? 0 : 99_999,
                            shape.rows() == Rows.UPDATES ? known() : "gen_random_uuid()",
                            shape.rows() != Rows.ONE,
                            shape.kept() == Kept.TOGETHER));
            String plan = explained.toString();
            assertThat(explained.pages()).as(plan).isLessThan(60);
            if (shape.rows() == Rows.UPDATES) {
                assertThat(plan).contains("Update on segment");
            } else {
                assertThat(plan).contains("Conflict Resolution: UPDATE", "Tuples Inserted: 1");
            }
            assertThat(plan.contains("Insert on state_change ")).as(plan).isEqualTo(shape.kept() == Kept.ONE);
            assertThat(plan.contains("Insert on state_change_group "))
                    .as(plan)
                    .isEqualTo(shape.kept() == Kept.TOGETHER);
            assertThat(plan.contains("segment_pkey on segment"))
                    .as(plan)
                    .isEqualTo(shape.takesForNew() || shape.rows() == Rows.UPDATES);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPageTakesNoMoreGroupsApartThanItShows(boolean generic) {
        Explained explained = explain(
                Explained.sql(ListingDao.class, "history"),
                generic,
                "topicId",
                "'00000000-0000-0000-0000-00000000000d'::uuid",
                "afterVersion",
                "70::bigint",
                "limit",
                "1001::int");
        assertThat(explained.pages()).as(explained.toString()).isLessThan(200);
    }

    /** Who asks the view for one topic's reads no other's, but the partitions': there is no index on the topic's name. */
    @Test
    void theHistoryOfATopicAsAView() {
        Explained explained = Explained.of(
                database,
                "select * from shelfmark_audit.history where topic = :topic and partition = :partition order by topic_id, version",
                false,
                withDefaults("topic", "'t27'::text"));
        assertThat(explained.pages()).as(explained.toString()).isLessThan(300);
    }

    /** A segment of the largest partition. */
    private String known() {
        return "'" + database.query("""
                        select segment_id
                        from shelfmark.segment
                        where partition_id = (select id from shelfmark.topic_partition where topic_name = 't1') and start_offset = 5100
                        """).get(0) + "'";
    }

    /** An update of many finds each by its key, however large the partition: the plan for these values knows how many they are. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFullCommitOfUpdatesReadsNoMoreThanItsSegments(boolean generic) {
        List<String> ids = database.query("""
                select segment_id
                from shelfmark.segment
                where partition_id = (select id from shelfmark.topic_partition where topic_name = 't1') and deleted_at is null and start_offset > 1000000
                order by start_offset
                limit 500
                """);
        String array = "(array_fill(%s, array[500]))::%s[]";
        Map<String, String> values = withDefaults(
                change("'00000000-0000-0000-0000-000000000001'::uuid", 99_999, "gen_random_uuid()", true, true));
        values.put("segments", "500::int");
        values.put("segmentId", ids.stream().collect(Collectors.joining("','", "array['", "']::uuid[]")));
        Map.of(
                        "eventTimestamp",
                        "bigint",
                        "segmentVersion",
                        "bigint",
                        "finishedVersion",
                        "bigint",
                        "brokerId",
                        "int",
                        "state",
                        "int")
                .forEach((name, type) -> values.put(name, array.formatted("1::" + type, type)));
        values.put("live", array.formatted("true", "boolean"));
        values.put("customMetadata", array.formatted("null::text", "text"));
        Explained explained = Explained.of(
                database,
                new CommitStatement(false, Rows.UPDATES, false, false, Kept.TOGETHER).text(),
                generic,
                values);
        assertThat(explained.toString())
                .contains("segment_pkey on segment", "Tid Scan on segment")
                .doesNotContain("Seq Scan on segment");
        assertThat(explained.pages()).as(explained.toString()).isLessThan(20 * 500);
    }

    /** Plans that were made when there was nothing yet are kept until the tables are analysed. */
    @Test
    void brokersReadNoTableWholeInAnEmptyCatalogueEither() throws SQLException {
        TestDatabase empty = TestServer.shared().database();
        List<String> statements = new ArrayList<>(List.of(
                PartitionDao.HEAD,
                PartitionDao.ALL,
                PartitionDao.CHANGES,
                PartitionDao.BY_ID,
                PartitionDao.HOLDING,
                PartitionDao.WITH_TXN_INDEX,
                PartitionDao.VERSIONS,
                PurgeDao.PURGE,
                PurgeDao.PURGE_CHANGES,
                PurgeDao.PURGE_GROUPS,
                ClusterDao.FIND));
        CommitStatement.all().forEach(shape -> statements.add(shape.text()));
        PostgresDataSource asBroker = new PostgresDataSource(
                JdbcStoreConfig.of(new JdbcStoreProvider().configDef().parse(empty.settings("broker"))), "plans");
        for (String statement : statements) {
            Map<String, String> values = withDefaults(change(
                    "'00000000-0000-0000-0000-000000000001'::uuid",
                    0,
                    "gen_random_uuid()",
                    statement.contains("unnest( :segmentId"),
                    statement.contains("state_change_group")));
            try (Connection connection = asBroker.getConnection()) {
                assertThat(Explained.of(connection, statement, values).toString())
                        .doesNotContain("Seq Scan", "JIT:")
                        .contains("Index");
            }
        }
    }

    /**
     * A commit of one segment of a partition, as expressions by parameter.
     *
     * @param arrays whether the segment travels as arrays
     * @param together whether its change does
     */
    private static String[] change(
            String topicId, long expectedVersion, String segmentId, boolean arrays, boolean together) {
        long version = expectedVersion + 1;
        String from = arrays ? "array[" : "";
        String to = arrays ? "]" : "";
        String array = arrays ? "[]" : "";
        String changeFrom = together ? "array[" : "";
        String changeTo = together ? "]" : "";
        String changeArray = together ? "[]" : "";
        return new String[] {
            "topicId", topicId,
            "expectedVersion", expectedVersion + "::bigint",
            "version", version + "::bigint",
            "topicName", "'t'::text",
            "liveSegments", "10::bigint",
            "maxOffsetSpan", "199::bigint",
            "deletionCode", "null::smallint",
            "newSegments", "array[gen_random_uuid()]::uuid[]",
            "segments", "1::int",
            "segmentId", from + segmentId + to + "::uuid" + array,
            "startOffset", from + "5000" + to + "::bigint" + array,
            "endOffset", from + "5100" + to + "::bigint" + array,
            "maxTimestamp", from + "0" + to + "::bigint" + array,
            "eventTimestamp", from + "0" + to + "::bigint" + array,
            "segmentVersion", from + version + to + "::bigint" + array,
            "finishedVersion", from + "0" + to + "::bigint" + array,
            "size", from + "1" + to + "::int" + array,
            "brokerId", from + "1" + to + "::int" + array,
            "state", from + "1" + to + "::int" + array,
            "live", from + "true" + to + "::boolean" + array,
            "txnIndexEmpty", from + "true" + to + "::boolean" + array,
            "leaderEpochs", from + "'{1}'" + to + "::text" + array,
            "epochStartOffsets", from + "'{5000}'" + to + "::text" + array,
            "customMetadata", from + "null" + to + "::text" + array,
            "epochs", "array[1]::int[]",
            "offsets", "array[5100]::bigint[]",
            "historyMillis", "1000::bigint",
            "changeVersion", changeFrom + version + changeTo + "::bigint" + changeArray,
            "changeTimestamp", changeFrom + "0" + changeTo + "::bigint" + changeArray,
            "changeSegment", changeFrom + "gen_random_uuid()" + changeTo + "::uuid" + changeArray,
            "changeBroker", changeFrom + "1" + changeTo + "::int" + changeArray,
            "changeFrom", changeFrom + "null" + changeTo + "::int" + changeArray,
            "changeTo", changeFrom + "1" + changeTo + "::int" + changeArray
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pagesOfAListing(boolean generic) {
        for (String method : new String[] {"live", "deleted"}) {
            for (String offset : new String[] {"-1", "2500000", "4999000"}) {
                Explained explained = explain(
                        Explained.sql(ListingDao.class, method),
                        generic,
                        "afterOffset",
                        offset + "::bigint",
                        "afterId",
                        "'00000000-0000-0000-0000-000000000000'::uuid",
                        "limit",
                        "101::int");
                assertThat(explained.toString()).contains("segment_" + method + "_start");
                assertThat(explained.pages()).as(explained.toString()).isLessThan(150);
            }
        }
        Explained partitions = explain(
                Explained.sql(ListingDao.class, "partitions"),
                generic,
                "afterTopic",
                "'00000000-0000-0000-0000-000000000900'::uuid",
                "afterPartition",
                "0::int",
                "limit",
                "101::int");
        assertThat(partitions.pages()).as(partitions.toString()).isLessThan(120);
    }
}
