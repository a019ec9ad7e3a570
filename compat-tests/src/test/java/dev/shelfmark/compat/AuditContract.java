package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.catalogue.CatalogueListener;
import dev.shelfmark.catalogue.CatalogueSettings;
import dev.shelfmark.catalogue.SegmentCatalogue;
import dev.shelfmark.catalogue.rules.MetadataEvent;
import dev.shelfmark.catalogue.rules.WriteOutcome;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.tool.audit.check.Anomaly;
import dev.shelfmark.tool.audit.check.AnomalyKind;
import dev.shelfmark.tool.audit.check.CatalogueCheck;
import dev.shelfmark.tool.audit.check.CheckSettings;
import dev.shelfmark.tool.audit.walk.CatalogueWalk;
import dev.shelfmark.tool.audit.walk.PartitionFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@code shelfmark check} on every store, while brokers copy and delete. */
@DisplayName("Audit: check finds what is planted, and nothing in a catalogue that is well and busy")
abstract class AuditContract extends StoreContract {

    private static final int BUSY_PARTITIONS = 3;
    private static final int UPLOADS = 40;
    private static final int UPLOADS_A_LOOK = 10;
    private static final int KEPT = 8;
    private static final int PAGE = 5;

    AuditContract(StoreBackEnd backEnd) {
        super(backEnd);
    }

    private List<Anomaly> check(String clusterId) {
        List<Anomaly> found = new ArrayList<>();
        try (CatalogueListing listing = harness().listing(StoreListener.NONE)) {
            CatalogueWalk walk = new CatalogueWalk(
                    listing, new PartitionFilter(clusterId, null, Set.of()), PAGE, () -> false, unused -> {});
            CheckSettings settings = CheckSettings.defaults(Instant.now());
            new CatalogueCheck(walk, store(), settings, null, found::add).run();
        }
        return found;
    }

    /**
     * Copies and deletes as leaders do, one upload after another, with leader changes in between. It waits for a look now and then: in
     * memory all uploads may be over before the first.
     *
     * @param looks counted down as each look begins
     */
    private Callable<Boolean> leader(PartitionKey key, AtomicInteger working, List<CountDownLatch> looks) {
        SegmentCatalogue catalogue =
                new SegmentCatalogue(open(), CatalogueSettings.defaults(), CatalogueListener.NONE, Runnable::run);
        return () -> {
            try {
                Deque<UUID> kept = new ArrayDeque<>();
                for (int i = 0; i < UPLOADS; i++) {
                    assertThat(looks.get(i / UPLOADS_A_LOOK).await(30, TimeUnit.SECONDS))
                            .as("a look")
                            .isTrue();
                    long start = i * 10L;
                    int epoch = i / 7;
                    TreeMap<Integer, Long> epochs = new TreeMap<>(Map.of(epoch, start));
                    if ((i + 1) / 7 > epoch) {
                        epochs.put(epoch + 1, start + 6);
                    }
                    UUID id = UUID.randomUUID();
                    write(
                            catalogue,
                            key,
                            new MetadataEvent.AddSegment(
                                    SegmentRecord.builder(id, start, start + 9, LeaderEpochs.of(epochs))
                                            .maxTimestampMs(System.currentTimeMillis())
                                            .sizeInBytes(1000)
                                            .txnIndexEmpty(true)
                                            .brokerId(1)
                                            .eventTimestampMs(System.currentTimeMillis())
                                            .build()));
                    write(catalogue, key, update(id, SegmentState.COPY_SEGMENT_FINISHED));
                    kept.add(id);
                    if (kept.size() > KEPT) {
                        UUID oldest = kept.remove();
                        write(catalogue, key, update(oldest, SegmentState.DELETE_SEGMENT_STARTED));
                        write(catalogue, key, update(oldest, SegmentState.DELETE_SEGMENT_FINISHED));
                    }
                }
                return true;
            } finally {
                working.decrementAndGet();
            }
        };
    }

    private static MetadataEvent update(UUID id, SegmentState state) {
        return new MetadataEvent.UpdateSegment(id, state, null, 1, System.currentTimeMillis());
    }

    private static void write(SegmentCatalogue catalogue, PartitionKey key, MetadataEvent event) {
        assertThat(catalogue.write(key, "busy", List.of(event), Deadline.in(Duration.ofSeconds(30))))
                .containsExactly(new WriteOutcome.Done(true));
    }

    private static SegmentRecord of(SegmentState state, long start, long end) {
        return Segments.in(state, Segments.started(start, end));
    }

    /** What the planted partitions must be found to have. */
    private Map<String, AnomalyKind> plant(String clusterId) {
        Map<AnomalyKind, SegmentRecord[]> faults = Map.of(
                AnomalyKind.GAP,
                new SegmentRecord[] {Segments.finished(0, 9), Segments.finished(20, 29)},
                AnomalyKind.OVERLAP,
                new SegmentRecord[] {Segments.finished(0, 9), Segments.finished(5, 14)},
                AnomalyKind.SUPERSEDED,
                new SegmentRecord[] {Segments.finished(0, 9), Segments.finished(0, 19)},
                AnomalyKind.DANGLING_COPY,
                new SegmentRecord[] {Segments.finished(0, 9), Segments.started(10, 19)},
                AnomalyKind.DANGLING_DELETE,
                new SegmentRecord[] {Segments.finished(0, 9), of(SegmentState.DELETE_SEGMENT_STARTED, 5, 9)},
                AnomalyKind.EPOCHS_OUTSIDE_SEGMENT,
                new SegmentRecord[] {
                    Segments.in(
                            SegmentState.COPY_SEGMENT_FINISHED,
                            Segments.started(UUID.randomUUID(), 0, 9, LeaderEpochs.of(3, 2)))
                },
                AnomalyKind.PURGE_BACKLOG,
                new SegmentRecord[] {of(SegmentState.DELETE_SEGMENT_FINISHED, 0, 9), Segments.finished(10, 19)});
        Map<String, AnomalyKind> expected = new HashMap<>();
        faults.forEach((kind, segments) -> {
            TestPartition partition = TestPartition.of(store(), clusterId);
            for (SegmentRecord segment : segments) {
                assertThat(partition.commit(partition.next(Map.of(3, segment.endOffset()), segment)))
                        .isEqualTo(new CommitResult.Committed());
            }
            expected.put(TextualId.of(partition.key().topicId()), kind);
        });
        TestPartition tooLow = TestPartition.of(store(), clusterId);
        tooLow.commit(tooLow.next(Map.of(3, 8L), Segments.finished(0, 9)));
        expected.put(TextualId.of(tooLow.key().topicId()), AnomalyKind.HIGHEST_OFFSET_TOO_LOW);
        if (harness() instanceof SpoilableHarness spoilable) {
            TestPartition spoiled = TestPartition.of(store(), clusterId);
            SegmentRecord segment = spoiled.putOne(of(SegmentState.DELETE_SEGMENT_STARTED, 0, 9));
            spoilable.spoilSegmentState(spoiled.key(), segment.segmentId());
            expected.put(TextualId.of(spoiled.key().topicId()), AnomalyKind.UNREADABLE_ROW);
        }
        return expected;
    }

    @Test
    @DisplayName(
            "Each planted fault is found once, by its name, and work in flight is none, however often it is looked at")
    void plantedAndBusy() throws Exception {
        String clusterId = newCluster();
        Map<String, AnomalyKind> expected = plant(clusterId);
        AtomicInteger working = new AtomicInteger(BUSY_PARTITIONS);
        List<CountDownLatch> looks = Stream.generate(() -> new CountDownLatch(1))
                .limit(UPLOADS / UPLOADS_A_LOOK)
                .toList();
        List<Callable<Boolean>> all = new ArrayList<>();
        all.add(() -> {
            for (CountDownLatch begun : looks) {
                begun.countDown();
                look(clusterId, expected);
            }
            while (working.get() > 0) {
                look(clusterId, expected);
            }
            look(clusterId, expected);
            return true;
        });
        for (int i = 0; i < BUSY_PARTITIONS; i++) {
            all.add(leader(TestPartition.of(store(), clusterId).key(), working, looks));
        }
        Together.run(all);
    }

    private void look(String clusterId, Map<String, AnomalyKind> expected) {
        Map<String, AnomalyKind> found = new HashMap<>();
        for (Anomaly anomaly : check(clusterId)) {
            assertThat(found.put(anomaly.topicId(), anomaly.finding().kind()))
                    .as("a second anomaly of one fault: %s", anomaly)
                    .isNull();
        }
        assertThat(found).isEqualTo(expected);
    }
}
