package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.BulkLoader.Checkpoint;
import dev.shelfmark.store.admin.BulkLoader.LoadResult;
import dev.shelfmark.store.admin.BulkLoader.Progress;
import dev.shelfmark.store.admin.BulkLoading;
import dev.shelfmark.store.admin.LoadClaim;
import dev.shelfmark.store.admin.PartitionLoad;
import dev.shelfmark.store.admin.StoreAdministration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BulkLoaderTest {

    private static final Duration TERM = Duration.ofSeconds(60);
    private static final String CLUSTER = "cluster-a";

    private final TestDatabase database = TestServer.shared().database();
    private final StoreAdministration administration = database.administration();
    private final CatalogueStore store = database.store();
    private final BulkLoader loader = claim();

    BulkLoaderTest() {
        put(ClusterState.IMPORTING, 1);
    }

    @AfterEach
    void close() {
        loader.close();
        store.close();
        administration.close();
    }

    private void put(ClusterState state, long revision) {
        assertThat(administration.putCluster(new ClusterRecord(CLUSTER, state, revision, Instant.EPOCH, "test", "")))
                .isTrue();
    }

    private BulkLoader claim() {
        return ((LoadClaim.Granted) ((BulkLoading) administration).claimLoad(CLUSTER, "ada", TERM)).loader();
    }

    private static SegmentRecord segment(long start, SegmentState state, long version) {
        return SegmentRecord.builder(
                        UUID.randomUUID(), start, start + 99, LeaderEpochs.of(new int[] {1, 2, 7}, new long[] {
                            start, start + 5, start + 5
                        }))
                .state(state)
                .sizeInBytes(123)
                .txnIndexEmpty(true)
                .customMetadata(version % 2 == 0 ? null : CustomMetadata.of(new byte[] {0, 92, -1}))
                .brokerId(3)
                .eventTimestampMs(4)
                .version(version)
                .finishedVersion(version)
                .build();
    }

    private static PartitionLoad load(
            PartitionKey key,
            long expected,
            List<SegmentRecord> added,
            List<SegmentRecord> replaced,
            Set<UUID> removed) {
        return new PartitionLoad(
                key,
                expected,
                head(expected + 1),
                added,
                replaced,
                removed,
                5,
                new Progress(expected + 10, "{\"at\":" + expected + "}"));
    }

    private static PartitionHead head(long version) {
        return new PartitionHead(
                version,
                "töpic\t\\N",
                7,
                99,
                PartitionDeletion.DELETE_PARTITION_MARKED,
                new TreeMap<>(Map.of(1, version * 100, 2, 5L)));
    }

    private List<SegmentRecord> segments(PartitionKey key) {
        List<SegmentRecord> segments = new ArrayList<>();
        store.read(key, new Selection.All(), segments::add);
        return segments;
    }

    @Test
    void loadsManyPartitionsAsTheStoreReadsThem() {
        assertThat(loader.empty()).isTrue();
        PartitionKey one = Fixtures.partition();
        PartitionKey two = Fixtures.partition();
        SegmentRecord a = segment(0, SegmentState.COPY_SEGMENT_FINISHED, 1);
        SegmentRecord b = segment(100, SegmentState.COPY_SEGMENT_STARTED, 2);
        SegmentRecord c = segment(0, SegmentState.DELETE_SEGMENT_STARTED, 3);

        assertThat(loader.load(List.of(
                        load(one, 0, List.of(a, b), List.of(), Set.of()),
                        load(two, 0, List.of(c), List.of(), Set.of()))))
                .isEqualTo(LoadResult.LOADED);

        assertThat(segments(one)).containsExactlyInAnyOrder(a, b);
        assertThat(segments(two)).containsExactly(c);
        assertThat(store.read(one, new Selection.HeadOnly(), s -> {})).isEqualTo(head(1));
        assertThat(loader.empty()).isFalse();
        assertThat(loader.progress(5))
                .containsOnly(
                        Map.entry(one, new Progress(10, "{\"at\":0}")), Map.entry(two, new Progress(10, "{\"at\":0}")));
        assertThat(loader.progress(6)).isEmpty();
    }

    @Test
    void replacesAndRemoves() {
        PartitionKey key = Fixtures.partition();
        SegmentRecord a = segment(0, SegmentState.COPY_SEGMENT_FINISHED, 1);
        SegmentRecord b = segment(100, SegmentState.COPY_SEGMENT_FINISHED, 1);
        SegmentRecord moved = Fixtures.with(a, SegmentState.DELETE_SEGMENT_STARTED, 2);

        assertThat(loader.load(List.of(
                        load(key, 0, List.of(a, b), List.of(), Set.of()),
                        load(key, 1, List.of(), List.of(moved), Set.of(b.segmentId())))))
                .isEqualTo(LoadResult.LOADED);

        assertThat(segments(key)).containsExactly(moved);
        assertThat(store.read(key, new Selection.HeadOnly(), s -> {})).isEqualTo(head(2));
        List<SegmentRecord> any = new ArrayList<>();
        store.read(key, new Selection.ById(Set.of(b.segmentId())), any::add);
        assertThat(any).isEmpty();
        assertThat(loader.progress(5)).containsOnly(Map.entry(key, new Progress(11, "{\"at\":1}")));
    }

    @Test
    void nothingOfAStepIsLoadedOnAVersionConflict() {
        PartitionKey one = Fixtures.partition();
        PartitionKey two = Fixtures.partition();
        loader.load(List.of(load(two, 0, List.of(), List.of(), Set.of())));

        for (long wrong : new long[] {0, 2}) {
            assertThat(loader.load(List.of(
                            load(
                                    one,
                                    0,
                                    List.of(segment(0, SegmentState.COPY_SEGMENT_STARTED, 1)),
                                    List.of(),
                                    Set.of()),
                            load(two, wrong, List.of(), List.of(), Set.of()))))
                    .isEqualTo(LoadResult.VERSION_CONFLICT);
        }

        assertThat(segments(one)).isEmpty();
        assertThat(store.read(one, new Selection.HeadOnly(), s -> {})).isEqualTo(PartitionHead.NEW);
        assertThat(loader.progress(5)).containsOnlyKeys(two);
    }

    @Test
    void checkpointsForgetTheProgressThatTheyCover() {
        PartitionKey one = Fixtures.partition();
        PartitionKey two = Fixtures.partition();
        loader.load(List.of(
                load(one, 0, List.of(), List.of(), Set.of()),
                load(two, 0, List.of(), List.of(), Set.of()),
                load(two, 1, List.of(), List.of(), Set.of())));

        assertThat(loader.checkpoint(5, new Checkpoint("topic", 10, "note"))).isEqualTo(LoadResult.LOADED);
        assertThat(loader.checkpoints()).containsOnly(Map.entry(5, new Checkpoint("topic", 10, "note")));
        assertThat(loader.progress(5)).containsOnlyKeys(two);

        assertThat(loader.checkpoint(5, new Checkpoint("topic", 11, "more"))).isEqualTo(LoadResult.LOADED);
        assertThat(loader.checkpoints()).containsOnly(Map.entry(5, new Checkpoint("topic", 11, "more")));
        assertThat(loader.progress(5)).isEmpty();
    }

    @Test
    void oneLoaderAtATime() {
        BulkLoading loading = (BulkLoading) administration;
        assertThat(loading.claimLoad(CLUSTER, "eve", TERM))
                .isInstanceOfSatisfying(
                        LoadClaim.Held.class, held -> assertThat(held.holder()).isEqualTo("ada"));
        assertThat(loading.claimLoad("cluster-b", "eve", TERM)).isInstanceOf(LoadClaim.Granted.class);

        database.execute("update shelfmark.import_claim set until = now() where cluster_id = 'cluster-a'");
        LoadClaim taken = loading.claimLoad(CLUSTER, "eve", TERM);

        assertThat(taken).isInstanceOf(LoadClaim.Granted.class);
        PartitionKey key = Fixtures.partition();
        assertThat(loader.load(List.of(load(key, 0, List.of(), List.of(), Set.of()))))
                .isEqualTo(LoadResult.CLAIM_LOST);
        assertThat(loader.checkpoint(5, new Checkpoint("topic", 1, ""))).isEqualTo(LoadResult.CLAIM_LOST);
        assertThat(loader.renew()).isEqualTo(LoadResult.CLAIM_LOST);
        assertThat(store.read(key, new Selection.HeadOnly(), s -> {})).isEqualTo(PartitionHead.NEW);
        loader.close();
        assertThat(((LoadClaim.Granted) taken).loader().renew()).isEqualTo(LoadResult.LOADED);
    }

    @Test
    void aClosedLoaderLeavesTheClaimToTheNext() {
        loader.close();
        assertThat(((BulkLoading) administration).claimLoad(CLUSTER, "eve", TERM))
                .isInstanceOf(LoadClaim.Granted.class);
        assertThatThrownBy(loader::renew).isInstanceOf(StoreException.Unavailable.class);
    }

    @Test
    void aClaimIsForOneState() {
        loader.checkpoint(5, new Checkpoint("topic", 1, ""));
        loader.close();
        put(ClusterState.DRAINING_TO_READY, 2);
        BulkLoading loading = (BulkLoading) administration;
        try (BulkLoader late = ((LoadClaim.Granted) loading.claimLoad(CLUSTER, "ada", TERM)).loader()) {
            assertThat(late.renew()).isEqualTo(LoadResult.NOT_IMPORTING);
        }
        try (BulkLoader last = ((LoadClaim.Granted)
                        loading.claimLoad(CLUSTER, ClusterState.DRAINING_TO_READY, "ada", TERM))
                .loader()) {
            assertThat(last.checkpoint(5, new Checkpoint("topic", 2, ""))).isEqualTo(LoadResult.LOADED);
            put(ClusterState.IMPORTING, 3);
            assertThat(last.renew()).isEqualTo(LoadResult.NOT_IMPORTING);
        }
        assertThat(loading.checkpoints(CLUSTER)).containsExactly(Map.entry(5, new Checkpoint("topic", 2, "")));
    }

    @Test
    void nothingIsLoadedOnceTheClusterIsReady() {
        put(ClusterState.READY, 2);
        PartitionKey key = Fixtures.partition();

        assertThat(loader.load(List.of(load(key, 0, List.of(), List.of(), Set.of()))))
                .isEqualTo(LoadResult.NOT_IMPORTING);
        assertThat(loader.checkpoint(5, new Checkpoint("topic", 1, ""))).isEqualTo(LoadResult.NOT_IMPORTING);
        assertThat(loader.renew()).isEqualTo(LoadResult.NOT_IMPORTING);
        assertThat(store.read(key, new Selection.HeadOnly(), s -> {})).isEqualTo(PartitionHead.NEW);
        assertThat(loader.checkpoints()).isEmpty();
    }
}
