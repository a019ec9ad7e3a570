package dev.shelfmark.store.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.admin.CatalogueListing.Kept;
import dev.shelfmark.store.memory.InMemoryCatalogueListing;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import java.time.Clock;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Pages come no faster than allowed, by a clock that only the pauses move. */
final class PacedListingTest {

    private static final PartitionKey KEY = new PartitionKey("c", new UUID(0, 1), 0);

    private final InMemoryCatalogueStore.Database database = new InMemoryCatalogueStore.Database(Clock.systemUTC());
    private final CatalogueStore store = new InMemoryCatalogueStore(database, Retention.NONE, StoreListener.NONE);
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final PacedListing listing = PacedListing.of(
            new InMemoryCatalogueListing(database, StoreListener.NONE), 1_000, now::get, now::addAndGet);

    @Test
    void pagesAreSpacedAndAPauseIsNotSavedUp() {
        long start = now.get();
        listing.partitions("c", null, 1);
        assertThat(now.get() - start).isZero();
        for (int i = 1; i <= 5; i++) {
            listing.segments(KEY, Kept.LIVE, null, 1);
            assertThat(now.get() - start).isEqualTo(i * 100_000_000L);
        }
        listing.history(KEY, null, 1);
        assertThat(now.get() - start).isEqualTo(600_000_000L);
        now.addAndGet(10_000_000_000L);
        long later = now.get();
        listing.segments(KEY, Kept.LIVE, null, 1);
        listing.segments(KEY, Kept.LIVE, null, 1);
        assertThat(now.get() - later).isEqualTo(100_000_000L);
    }

    @Test
    void aPageIsChargedForWhatItHolds() {
        for (int i = 0; i < 500; i++) {
            store.commit(
                    new PartitionKey("c", new UUID(1, i), 0),
                    new PartitionCommit(
                            0,
                            new PartitionHead(1, "t", 0, 0, PartitionDeletion.NONE, new TreeMap<>()),
                            List.of(),
                            List.of()));
        }
        long start = now.get();
        listing.partitions("c", null, 300);
        listing.partitions("c", null, 10);
        assertThat(now.get() - start).isEqualTo(300_000_000L);
        listing.partitions("c", null, 10);
        assertThat(now.get() - start).isEqualTo(400_000_000L);
    }

    @Test
    void anInterruptEndsTheWaitAndStaysSet() {
        listing.partitions("c", null, 1);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> listing.partitions("c", null, 1)).isInstanceOf(StoreException.Unavailable.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aPaceOfNothingIsRefused() {
        for (double wrong : new double[] {0, -1, Double.NaN}) {
            assertThatThrownBy(() -> PacedListing.of(listing, wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
