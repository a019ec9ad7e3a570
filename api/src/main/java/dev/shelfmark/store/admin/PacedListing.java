package dev.shelfmark.store.admin;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.StoreException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A listing that asks for no more than so many rows a second, so that looking at a catalogue takes nothing from its brokers. A page
 * counts for {@link #ROWS_OF_A_REQUEST} rows at least, which is about what a request costs by itself.
 */
public final class PacedListing implements CatalogueListing {

    /** So many rows a page counts for at least. */
    public static final int ROWS_OF_A_REQUEST = 100;

    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private final CatalogueListing listing;
    private final double nanosPerRow;
    private final LongSupplier nanoTime;
    private final LongConsumer pause;
    private long nextAt;

    private PacedListing(CatalogueListing listing, double rowsPerSecond, LongSupplier nanoTime, LongConsumer pause) {
        if (!(rowsPerSecond > 0)) {
            throw new IllegalArgumentException("rows per second must be above 0, not " + rowsPerSecond);
        }
        this.listing = listing;
        this.nanosPerRow = NANOS / rowsPerSecond;
        this.nanoTime = nanoTime;
        this.pause = pause;
        this.nextAt = nanoTime.getAsLong();
    }

    /**
     * Paces a listing, which is closed with it.
     *
     * @param rowsPerSecond above 0; shared by all threads
     */
    public static PacedListing of(CatalogueListing listing, double rowsPerSecond) {
        return new PacedListing(listing, rowsPerSecond, System::nanoTime, LockSupport::parkNanos);
    }

    /** With another clock: {@code nanoTime} as {@link System#nanoTime}, {@code pause} waits so many nanoseconds or less. */
    static PacedListing of(CatalogueListing listing, double rowsPerSecond, LongSupplier nanoTime, LongConsumer pause) {
        return new PacedListing(listing, rowsPerSecond, nanoTime, pause);
    }

    @Override
    public void verify() {
        listing.verify();
    }

    @Override
    public List<ClusterRecord> clusters() {
        return listing.clusters();
    }

    @Override
    public Page<PartitionSummary> partitions(String clusterId, @Nullable String after, int limit) {
        awaitTurn("listing of the partitions of " + clusterId);
        return charged(listing.partitions(clusterId, after, limit));
    }

    @Override
    public Page<SegmentRecord> segments(PartitionKey key, Kept kept, @Nullable String after, int limit) {
        awaitTurn("listing of the segments of " + key);
        return charged(listing.segments(key, kept, after, limit));
    }

    @Override
    public Page<RecordedChange> history(PartitionKey key, @Nullable String after, int limit) {
        awaitTurn("listing of the history of " + key);
        return charged(listing.history(key, after, limit));
    }

    private void awaitTurn(String about) {
        long turn = takeTurn();
        for (long left = turn - nanoTime.getAsLong(); left > 0; left = turn - nanoTime.getAsLong()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new StoreException.Unavailable(about + ": the thread is interrupted", null);
            }
            pause.accept(left);
        }
    }

    /** Turns that nobody took are not saved up: after a pause there is no burst. */
    private synchronized long takeTurn() {
        long now = nanoTime.getAsLong();
        long turn = nextAt - now > 0 ? nextAt : now;
        nextAt = turn + (long) (ROWS_OF_A_REQUEST * nanosPerRow);
        return turn;
    }

    /** What a page holds beyond what its request was charged for is waited for before the next. */
    private synchronized <T> Page<T> charged(Page<T> page) {
        nextAt += (long) (Math.max(0, page.items().size() - ROWS_OF_A_REQUEST) * nanosPerRow);
        return page;
    }

    @Override
    public void close() {
        listing.close();
    }
}
