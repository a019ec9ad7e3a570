package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.BrokerProgress;
import dev.shelfmark.store.CatalogueProgress;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.ProgressKeeping;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.admin.ProgressAcceptance;
import dev.shelfmark.store.admin.StoreAdministration;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@link CatalogueStore#cluster} and what an operator does to it. */
@DisplayName("Clusters: what is kept under one cluster id is never seen or changed under another")
public abstract class ClustersContract extends StoreContract {

    private static final Instant WHEN = Instant.parse("2026-02-03T04:05:06.789Z");

    protected ClustersContract(StoreBackEnd backEnd) {
        super(backEnd);
    }

    private static ClusterRecord record(String clusterId, ClusterState state, long revision) {
        return new ClusterRecord(
                clusterId, state, revision, WHEN, "Zoë <ops@example.org>", "moved in; it's \"fine\" ✓");
    }

    private StoreAdministration administration() {
        return closeLater(harness().administration());
    }

    @Test
    @DisplayName("Empty only when the store was asked and has none")
    void unknown() {
        assertThat(store().cluster(newClusterId())).isEmpty();
        assertThat(administration().cluster(newClusterId())).isEmpty();
    }

    @Test
    @DisplayName("Sees every change that was acknowledged before the call, every field of it, in every state")
    void seesChanges() {
        StoreAdministration administration = administration();
        CatalogueStore other = open();
        String clusterId = newClusterId();
        long revision = 0;
        for (ClusterState state : ClusterState.values()) {
            ClusterRecord next = record(clusterId, state, ++revision);
            assertThat(administration.putCluster(next)).isTrue();
            assertThat(store().cluster(clusterId)).contains(next);
            assertThat(other.cluster(clusterId)).contains(next);
            assertThat(administration.cluster(clusterId)).contains(next);
            assertThat(administration.clusters()).contains(next);
        }
        ClusterRecord withoutNote = new ClusterRecord(clusterId, ClusterState.READY, ++revision, WHEN, "", "");
        assertThat(administration.putCluster(withoutNote)).isTrue();
        assertThat(store().cluster(clusterId)).contains(withoutNote);
    }

    @Test
    @DisplayName("A record is written only on the revision before it; otherwise nothing is changed")
    void revisions() {
        StoreAdministration administration = administration();
        String clusterId = newClusterId();
        assertThat(administration.putCluster(record(clusterId, ClusterState.READY, 2)))
                .isFalse();
        assertThat(store().cluster(clusterId)).isEmpty();
        ClusterRecord first = record(clusterId, ClusterState.IMPORTING, 1);
        assertThat(administration.putCluster(first)).isTrue();
        for (long wrong : new long[] {1, 3}) {
            assertThat(administration.putCluster(record(clusterId, ClusterState.READY, wrong)))
                    .isFalse();
        }
        assertThat(store().cluster(clusterId)).contains(first);
    }

    @Test
    @DisplayName("Of several writers on one revision one wins")
    void oneWriter() throws Exception {
        String clusterId = newClusterId();
        for (long revision = 1; revision <= 3; revision++) {
            long next = revision;
            List<Callable<Boolean>> writers = IntStream.range(0, 4)
                    .<Callable<Boolean>>mapToObj(i -> {
                        StoreAdministration administration = administration();
                        return () -> administration.putCluster(record(clusterId, ClusterState.READY, next));
                    })
                    .toList();
            assertThat(Collections.frequency(Together.run(writers), true)).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("Every cluster's record, by cluster id")
    void listed() {
        List<String> ids = List.of(newCluster(), newCluster(), newCluster());
        assertThat(administration().clusters().stream().map(ClusterRecord::clusterId))
                .containsAll(ids)
                .doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("One cluster's segments, heads and versions are another's never, however alike their ids are")
    void apart() {
        String clusterId = "Aa-" + newClusterId();
        UUID topic = UUID.randomUUID();
        TestPartition ours = new TestPartition(store(), new PartitionKey(clusterId, topic, 0));
        administration().putCluster(record(clusterId, ClusterState.READY, 1));
        ours.put(Segments.finished(0, 9));
        Snapshot before = ours.read(new Selection.All());
        for (String alike :
                List.of(clusterId + " ", clusterId.toLowerCase(Locale.ROOT), clusterId + "/", "%", clusterId + "_")) {
            assertThat(store().cluster(alike)).as("'%s'", alike).isEmpty();
            TestPartition theirs = new TestPartition(store(), new PartitionKey(alike, topic, 0));
            assertThat(theirs.read(new Selection.All())).isEqualTo(new Snapshot(PartitionHead.NEW, List.of()));
            administration().putCluster(record(alike, ClusterState.IMPORTING, 1));
            theirs.put(Segments.finished(20, 29), Segments.finished(30, 39));
            assertThat(ours.read(new Selection.All())).isEqualTo(before);
            assertThat(store().cluster(clusterId)).contains(record(clusterId, ClusterState.READY, 1));
        }
    }

    private static BrokerHeartbeat beat(String clusterId, int broker, long beats, @Nullable ClusterState acknowledged) {
        return new BrokerHeartbeat(
                clusterId,
                broker,
                "start-" + broker,
                beats,
                broker % 2 == 0 ? BrokerHeartbeat.Mode.BRIDGE : BrokerHeartbeat.Mode.CATALOGUE,
                "1.0-✓",
                acknowledged,
                acknowledged == null ? 0 : beats,
                Duration.ofMillis(12_345),
                WHEN,
                acknowledged == null ? "" : "waiting for \"it\"");
    }

    @Test
    @DisplayName(
            "A broker's last heartbeat is seen at once, every field of it, and no other broker's or cluster's is touched")
    void heartbeats() {
        StoreAdministration administration = administration();
        String clusterId = newClusterId();
        String other = newClusterId();
        assertThat(administration.heartbeats(clusterId)).isEmpty();
        store().heartbeat(beat(other, 7, 1, null));
        store().heartbeat(beat(clusterId, 10, 1, null));
        CatalogueStore second = open();
        long beats = 0;
        for (ClusterState state : ClusterState.values()) {
            BrokerHeartbeat next = beat(clusterId, 9, ++beats, state);
            second.heartbeat(next);
            second.heartbeat(next);
            assertThat(administration.heartbeats(clusterId)).containsExactly(next, beat(clusterId, 10, 1, null));
        }
        assertThat(administration.heartbeats(other)).containsExactly(beat(other, 7, 1, null));
    }

    private static BrokerProgress progress(int broker, long counter) {
        return new BrokerProgress(broker, counter, BrokerProgress.Regression.NONE);
    }

    private static ProgressKeeping keeping(CatalogueStore store) {
        assertThat(store).isInstanceOf(ProgressKeeping.class);
        return (ProgressKeeping) store;
    }

    @Test
    @DisplayName("A catalogue gets an id once, and each broker's progress is seen at once, every field of it")
    void keepsProgress() {
        ProgressKeeping store = keeping(store());
        ProgressKeeping other = keeping(open());
        String clusterId = newClusterId();
        assertThat(store.progress(clusterId)).isEmpty();
        store.putProgress(clusterId, progress(10, 4));
        assertThat(store.progress(clusterId)).isEmpty();
        store.begin(clusterId, "first");
        other.begin(clusterId, "second");
        assertThat(other.progress(clusterId))
                .contains(new CatalogueProgress("first", Set.of(), List.of(progress(10, 4))));
        BrokerProgress noticed = new BrokerProgress(
                9, 3, new BrokerProgress.Regression("first", Set.of("a", "b"), "it \"went back\" ✓"));
        other.putProgress(clusterId, noticed);
        other.putProgress(clusterId, progress(10, Long.MAX_VALUE));
        assertThat(store.progress(clusterId))
                .contains(new CatalogueProgress("first", Set.of(), List.of(noticed, progress(10, Long.MAX_VALUE))));
        assertThat(store.progress(newClusterId())).isEmpty();
    }

    @Test
    @DisplayName(
            "An operator's acceptance names the id that it was decided on, keeps the progress, and is refused otherwise")
    void acceptsProgress() {
        ProgressKeeping store = keeping(store());
        StoreAdministration administration = administration();
        assertThat(administration).isInstanceOf(ProgressAcceptance.class);
        ProgressAcceptance acceptance = (ProgressAcceptance) administration;
        String clusterId = newClusterId();
        assertThat(acceptance.progress(clusterId)).isEmpty();
        assertThat(acceptance.accept(clusterId, Optional.of("none"), "first", Set.of()))
                .isFalse();
        assertThat(store.progress(clusterId)).isEmpty();
        assertThat(acceptance.accept(clusterId, Optional.empty(), "first", Set.of("lost")))
                .isTrue();
        store.putProgress(clusterId, progress(1, 7));
        assertThat(acceptance.accept(clusterId, Optional.empty(), "second", Set.of()))
                .isFalse();
        assertThat(acceptance.accept(clusterId, Optional.of("other"), "second", Set.of()))
                .isFalse();
        CatalogueProgress first = new CatalogueProgress("first", Set.of("lost"), List.of(progress(1, 7)));
        assertThat(store.progress(clusterId)).contains(first);
        assertThat(acceptance.progress(clusterId)).contains(first);
        assertThat(acceptance.accept(clusterId, Optional.of("first"), "second", Set.of("first", "lost")))
                .isTrue();
        assertThat(store.progress(clusterId))
                .contains(new CatalogueProgress("second", Set.of("first", "lost"), List.of(progress(1, 7))));
    }

    @Test
    @DisplayName("A migration of a schema that is up to date does nothing")
    void migrated() {
        StoreAdministration administration = administration();
        String clusterId = newCluster();
        assertThat(administration.schema().pending()).isEmpty();
        assertThat(administration.schema().current())
                .isEqualTo(administration.schema().supported());
        assertThat(administration.migrate()).isEmpty();
        assertThat(store().cluster(clusterId)).isPresent();
    }
}
