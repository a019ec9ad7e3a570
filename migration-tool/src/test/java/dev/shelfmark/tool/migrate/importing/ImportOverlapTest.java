package dev.shelfmark.tool.migrate.importing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.BulkLoader.Checkpoint;
import dev.shelfmark.store.admin.PartitionLoad;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.MemoryBrokers;
import dev.shelfmark.tool.kafka.MetadataReader;
import dev.shelfmark.tool.kafka.MetadataRecord;
import dev.shelfmark.tool.kafka.MetadataTopic.Offsets;
import dev.shelfmark.tool.migrate.importing.ImportFixture.Kept;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A window is read while the one before it is loaded, and nothing but time is gained by it. */
@Timeout(60)
class ImportOverlapTest {

    private static final int EVENTS = 400;
    private static final int WINDOW = 40;
    private static final long PATIENCE_SECONDS = 20;

    @TempDir
    private Path directory = Path.of("");

    private final MemoryBrokers brokers = new MemoryBrokers(ImportFixture.CLUSTER, 3);

    static LongStream seeds() {
        return LongStream.range(0, Integer.getInteger("shelfmark.seeds", 12));
    }

    private RandomHistory history(long seed) {
        RandomHistory history = new RandomHistory(seed, brokers, 3, 2);
        history.write(EVENTS);
        return history;
    }

    private ImportCounters run(
            ImportFixture fixture, UnaryOperator<BulkLoader> loader, UnaryOperator<MetadataReader> reader) {
        return fixture.run(brokers.upTo(Long.MAX_VALUE), false, WINDOW, loader, reader);
    }

    /** Counts the records that were handed out. */
    private static final class CountingReader extends FaultyReader {
        private final AtomicLong records;

        CountingReader(MetadataReader reader, AtomicLong records) {
            super(reader, new Random(0), Integer.MAX_VALUE);
            this.records = records;
        }

        @Override
        public List<MetadataRecord> poll(Duration wait) {
            List<MetadataRecord> polled = super.poll(wait);
            records.addAndGet(polled.size());
            return polled;
        }
    }

    /** Does something before its first load. */
    private static final class HeldUp extends WatchedLoader {
        private final Runnable before;
        private boolean held;

        HeldUp(BulkLoader loader, Runnable before) {
            super(loader);
            this.before = before;
        }

        @Override
        public LoadResult load(List<PartitionLoad> loads) {
            if (!held) {
                held = true;
                before.run();
            }
            return super.load(loads);
        }
    }

    @Test
    void theNextWindowIsReadWhileOneIsLoadedAndNoFurther() {
        history(1);
        AtomicLong read = new AtomicLong();
        Thread reading = Thread.currentThread();
        List<Long> readMeanwhile = new ArrayList<>();
        Runnable untilItWaits = () -> {
            // It waits for nothing but this load.
            awaitState(reading, Thread.State.WAITING);
            readMeanwhile.add(read.get());
        };

        run(
                new ImportFixture(brokers, directory),
                loader -> new HeldUp(loader, untilItWaits),
                reader -> new CountingReader(reader, read));

        assertThat(readMeanwhile)
                .as("records read until it waited: two windows, each as large as the answers that fill it")
                .singleElement()
                .satisfies(records -> assertThat(records).isBetween(2L * WINDOW, 3L * WINDOW));
    }

    /** What fails while the next window is read leaves that window for later, and is not taken for done. */
    @ParameterizedTest
    @MethodSource("seeds")
    void failuresOnBothSidesLoseAndRepeatNothing(long seed) {
        RandomHistory history = history(seed);
        ImportFixture whole = new ImportFixture(brokers, directory);
        String tally = whole.runAll(EVENTS * 2).toJson();
        Map<PartitionKey, Kept> kept = whole.kept(history.partitions());
        Random random = new Random(seed);
        ImportFixture parts = new ImportFixture(brokers, directory);

        ImportCounters counted = run(
                parts,
                loader -> new WatchedLoader(new FaultyLoader(
                        loader,
                        random,
                        40,
                        () -> new StoreException.Unavailable("away", null),
                        () -> new StoreException.OutcomeUnknown("lost", null))),
                // Its own numbers: it is asked by another thread.
                reader -> new FaultyReader(reader, new Random(seed + 1), 40));

        assertThat(parts.kept(history.partitions())).isEqualTo(kept);
        assertThat(counted.toJson()).isEqualTo(tally);
    }

    /** A load that is under way when reading fails ends before anything is told, and tells first. */
    @Test
    void whatIsInFlightCountsBeforeWhatIsReadAfterIt() {
        history(1);
        CountDownLatch readingFailed = new CountDownLatch(1);
        StoreException.Corrupt corrupt = new StoreException.Corrupt("can't be read", null);

        assertThatThrownBy(() -> run(
                        new ImportFixture(brokers, directory),
                        loader -> new HeldUp(loader, () -> {
                            await(readingFailed);
                            throw corrupt;
                        }),
                        reader -> new FaultyReader(reader, new Random(0), Integer.MAX_VALUE) {
                            private int polls;

                            @Override
                            public List<MetadataRecord> poll(Duration wait) {
                                if (++polls * 7 > WINDOW + 14) {
                                    readingFailed.countDown();
                                    throw ToolFailure.kafka("no such topic", null);
                                }
                                return super.poll(wait);
                            }
                        }))
                .isSameAs(corrupt)
                .satisfies(thrown -> assertThat(thrown.getSuppressed())
                        .singleElement()
                        .satisfies(later -> assertThat(later).hasMessage("no such topic")));
    }

    /** The record that can't be read is in the window after the one that is in flight: that one is in. */
    @Test
    void aRecordThatCannotBeReadEndsItAfterWhatStandsBeforeIt() {
        history(1);
        brokers.write(2, new byte[] {99, 98, 97});
        ImportFixture parts = new ImportFixture(brokers, directory);

        assertThatThrownBy(() -> run(parts, WatchedLoader::new, UnaryOperator.identity()))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("partition 2, offset ");

        Map<Integer, Checkpoint> checkpoints = parts.claim().checkpoints();
        for (Offsets offsets : brokers.upTo(Long.MAX_VALUE).partitions()) {
            Checkpoint checkpoint = checkpoints.get(offsets.partition());
            long unread = offsets.end() - (checkpoint == null ? 0 : checkpoint.nextOffset());
            boolean last = offsets.partition() == 2;
            assertThat(unread)
                    .as("what is left of partition " + offsets.partition())
                    .isBetween(last ? 1L : 0L, last ? 2L * WINDOW : 0L);
        }
    }

    @Test
    void anInterruptedReaderWaitsForWhatIsInFlight() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch loading = new CountDownLatch(1);
        AtomicLong loaded = new AtomicLong();
        List<String> seen = new ArrayList<>();
        Thread reading = new Thread(() -> {
            try (BackgroundLoad load = new BackgroundLoad()) {
                load.begin(() -> {
                    loading.countDown();
                    await(release);
                    loaded.incrementAndGet();
                    return BulkLoader.LoadResult.LOADED;
                });
                Thread.currentThread().interrupt();
                seen.add(load.settle() + " " + loaded.get() + " "
                        + Thread.currentThread().isInterrupted());
            }
        });
        reading.start();
        await(loading);
        awaitState(reading, Thread.State.WAITING, Thread.State.TERMINATED);
        release.countDown();
        reading.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));

        assertThat(seen).containsExactly("LOADED 1 true");
    }

    private static void awaitState(Thread thread, Thread.State... states) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!List.of(states).contains(thread.getState()) && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }
}
