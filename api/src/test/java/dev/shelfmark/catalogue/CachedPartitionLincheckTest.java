package dev.shelfmark.catalogue;

import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * A partition in memory with several readers, writers and another broker's writes: whoever wants a look that begins now gets the version that the store
 * has at some moment of the call, as if there were no memory. Stressed rather than model-checked, as clocks decide.
 */
public class CachedPartitionLincheckTest {

    private static final long LONG = TimeUnit.SECONDS.toNanos(20);
    private static final PartitionKey KEY = Segments.PARTITION;

    private final InMemoryCatalogueStore store = new InMemoryCatalogueStore(
            new InMemoryCatalogueStore.Database(Clock.systemUTC()),
            new Retention(Duration.ofDays(1), Duration.ZERO),
            StoreListener.NONE);
    private final CachedPartition cached =
            new CachedPartition(KEY, new BoundedReads(store, null), CatalogueListener.NONE);

    private static PartitionHead head(long version) {
        return new PartitionHead(version, Segments.TOPIC, 0, 0, PartitionDeletion.NONE, new TreeMap<>());
    }

    private long commit(boolean writeThrough) {
        while (true) {
            long version =
                    store.read(KEY, new Selection.HeadOnly(), segment -> {}).version();
            PartitionCommit commit = new PartitionCommit(version, head(version + 1), List.of(), List.of());
            long sent = System.nanoTime();
            if (store.commit(KEY, commit) instanceof CommitResult.Committed) {
                if (writeThrough) {
                    cached.applied(commit, commit.head(), sent);
                }
                return version + 1;
            }
        }
    }

    /** This broker's own write. */
    @Operation
    public long write() {
        return commit(true);
    }

    /** Another broker's. */
    @Operation
    public long writeElsewhere() {
        return commit(false);
    }

    @Operation
    public long readAsOfNow() {
        return cached.current(System.nanoTime(), LONG).index().head().version();
    }

    /** What a look shared by many partitions does. */
    @Operation
    public void look() {
        long began = System.nanoTime();
        cached.seen(store.read(KEY, new Selection.HeadOnly(), segment -> {}).version(), began);
    }

    @Operation
    public void expire() {
        cached.expire();
    }

    /** One number, whatever is remembered of it. */
    public static class Register {

        private long version;

        public long write() {
            return ++version;
        }

        public long writeElsewhere() {
            return ++version;
        }

        public long readAsOfNow() {
            return version;
        }

        public void look() {}

        public void expire() {}
    }

    @Test
    void memoryIsNeverSeenToBeBehind() {
        new StressOptions()
                .iterations(10)
                .invocationsPerIteration(400)
                .threads(3)
                .actorsPerThread(3)
                .sequentialSpecification(Register.class)
                .check(CachedPartitionLincheckTest.class);
    }
}
