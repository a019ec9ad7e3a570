package dev.shelfmark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.store.CatalogueListing.Kept;
import java.time.Clock;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Pages come no faster than allowed, by a clock that only the pauses move. */
final class PacedListingTest {

    private static final PartitionKey KEY = new PartitionKey("c", new UUID(0, 1), 0);

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final PacedListing listing = PacedListing.of(
            new InMemoryCatalogueListing(new InMemoryCatalogueStore.Database(Clock.systemUTC()), StoreListener.NONE),
            10,
            now::get,
            now::addAndGet);

    @Test
    void pagesAreSpacedAndAPauseIsNotSavedUp() {
        long start = now.get();
        listing.partitions("c", null, 1);
        assertThat(now.get() - start).isZero();
        for (int i = 1; i <= 5; i++) {
            listing.segments(KEY, Kept.LIVE, null, 1);
            assertThat(now.get() - start).isEqualTo(i * 100_000_000L);
        }
        now.addAndGet(10_000_000_000L);
        long later = now.get();
        listing.segments(KEY, Kept.LIVE, null, 1);
        listing.segments(KEY, Kept.LIVE, null, 1);
        assertThat(now.get() - later).isEqualTo(100_000_000L);
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
