package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.StoreAdministration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The clusters' records: revised in order, dated alike in every time zone, never guessed at. */
final class ClusterRecordTest {

    private final TestDatabase database = TestServer.shared().database();
    private final Instant now = Instant.parse("2024-03-31T01:59:59.123456Z");

    private ClusterRecord record(ClusterState state, long revision) {
        return new ClusterRecord("cluster-ä", state, revision, now, "Zoë", "it's \"ready\"\n");
    }

    @Test
    void areRevisedOneByOne() {
        try (StoreAdministration administration = database.administration();
                CatalogueStore store = database.store()) {
            assertThat(administration.putCluster(record(ClusterState.IMPORTING, 2)))
                    .isFalse();
            assertThat(administration.putCluster(record(ClusterState.IMPORTING, 1)))
                    .isTrue();
            assertThat(administration.putCluster(record(ClusterState.READY, 1))).isFalse();
            assertThat(administration.putCluster(record(ClusterState.READY, 3))).isFalse();
            assertThat(store.cluster("cluster-ä")).contains(record(ClusterState.IMPORTING, 1));
            assertThat(administration.putCluster(record(ClusterState.RESTORING, 2)))
                    .isTrue();
            assertThat(administration.putCluster(record(ClusterState.READY, 3))).isTrue();
            assertThat(store.cluster("cluster-ä")).contains(record(ClusterState.READY, 3));
            assertThat(administration.clusters()).containsExactly(record(ClusterState.READY, 3));
            assertThat(store.cluster("CLUSTER-Ä")).isEmpty();
        }
    }

    @Test
    void ofSeveralWithOneRevisionOneWins() {
        try (StoreAdministration administration = database.administration()) {
            for (long revision = 1; revision < 10; revision++) {
                ClusterRecord next = record(ClusterState.READY, revision);
                List<Boolean> won = IntStream.range(0, 4)
                        .parallel()
                        .mapToObj(i -> administration.putCluster(next))
                        .toList();
                assertThat(won).containsOnlyOnce(true);
            }
        }
    }

    @Test
    void areDatedAlikeInEveryTimeZone() {
        try (StoreAdministration administration = database.administration()) {
            administration.putCluster(record(ClusterState.READY, 1));
        }
        assertThat(database.query("select to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')"
                        + " from shelfmark.cluster"))
                .containsExactly("2024-03-31 01:59:59.123456");
    }

    @Test
    void anUnknownStateIsNotGuessedAt() {
        database.execute("insert into shelfmark.cluster values ('newer', 'levitating', 1, now(), 'me', '')");
        try (CatalogueStore store = database.store()) {
            assertThatThrownBy(() -> store.cluster("newer"))
                    .isInstanceOf(StoreException.Corrupt.class)
                    .hasMessageContaining("levitating");
        }
    }

    @Test
    void sortBytewise() {
        try (StoreAdministration administration = database.administration()) {
            for (String id : List.of("b", "B", "a", "Z", "_", "ä")) {
                administration.putCluster(new ClusterRecord(id, ClusterState.READY, 1, now, "me", ""));
            }
            assertThat(administration.clusters())
                    .extracting(ClusterRecord::clusterId)
                    .containsExactly("B", "Z", "_", "a", "b", "ä");
        }
    }
}
