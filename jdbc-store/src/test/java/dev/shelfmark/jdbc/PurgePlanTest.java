package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The purge where deleted segments are most of the table, as when data is kept for a day and the records of its deleted segments for a week:
 * 20000 live ones, 180000 deleted.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PurgePlanTest {

    private final TestDatabase database = TestServer.shared().database();

    @BeforeAll
    void fill() {
        database.execute("""
                insert into shelfmark.topic_partition
                  (cluster_id, topic_id, partition, topic_name, version, live_segments, max_offset_span)
                select 'c', gen_random_uuid(), 0, 't' || t, 2000, 100, 199
                from generate_series(1, 200) t;

                insert into shelfmark.segment
                  (partition_id, segment_id, start_offset, end_offset, max_timestamp_ms, event_timestamp_ms, version,
                   finished_version, size_in_bytes, broker_id, state, txn_index_empty, leader_epochs, epoch_start_offsets,
                   custom_metadata, deleted_at, deleted_from)
                select p.id, gen_random_uuid(), 100 * i, 100 * i + 99, 0, 0, 2 * i + 1, 2 * i + 1, 1000, 1,
                       case when i % 10 = 0 then 1 else 3 end, true, '{1}', array[100 * i], '\\x00010203',
                       case when i % 10 > 0 then now() - interval '7 days' * random() end,
                       case when i % 10 > 0 then 'c' end
                from generate_series(0, 999) i
                cross join shelfmark.topic_partition p;
                """);
        database.execute("vacuum analyze");
    }

    @Test
    void readsNoMoreThanWhatItRemoves() {
        for (boolean generic : new boolean[] {false, true}) {
            Explained explained = Explained.of(
                    database,
                    CommitDao.PURGE,
                    generic,
                    Map.of(
                            "clusterId", "'c'::text",
                            "retentionMillis", "518400000::bigint",
                            "limit", "100::int"));
            assertThat(explained.toString()).doesNotContain("Seq Scan on segment");
            assertThat(explained.pages()).as(explained.toString()).isLessThan(1000);
        }
    }
}
