package dev.shelfmark.tool.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.CatalogueListing.Found;
import dev.shelfmark.store.admin.CatalogueListing.Listed;
import dev.shelfmark.store.admin.CatalogueListing.Page;
import dev.shelfmark.store.admin.CatalogueListing.Unreadable;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.tool.audit.lookup.OffsetLookup;
import dev.shelfmark.tool.audit.walk.CatalogueWalk;
import dev.shelfmark.tool.audit.walk.PartitionFilter;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Where brokers get no answer, a lookup by time has none either. */
final class TimestampLookupTest {

    private static OffsetLookup lookup(PartitionDeletion deletion, List<Listed<SegmentRecord>> segments) {
        CatalogueListing listing = (CatalogueListing) Proxy.newProxyInstance(
                CatalogueListing.class.getClassLoader(),
                new Class<?>[] {CatalogueListing.class},
                (proxy, method, arguments) -> new Page<>(segments, null));
        PartitionSummary partition =
                new PartitionSummary(new PartitionKey("cluster", new UUID(1, 2), 7), "orders", 3, 2, 99, deletion);
        return OffsetLookup.ofTimestamp(
                new CatalogueWalk(listing, PartitionFilter.ALL, 10, () -> false, unused -> {}), partition, 0, 0);
    }

    @Test
    void theFirstSegmentOfTheTime() {
        OffsetLookup found = lookup(PartitionDeletion.NONE, List.of(new Found<>(AuditFixture.finished(1, 0, 99))));
        assertThat(found.answered()).isTrue();
    }

    @Test
    void noneInAPartitionOfWhichARowCantBeRead() {
        assertThatThrownBy(() -> lookup(
                        PartitionDeletion.NONE,
                        List.of(
                                new Unreadable<>("AAAA", "state 9 is unknown"),
                                new Found<>(AuditFixture.finished(1, 100, 199)))))
                .isInstanceOf(StoreException.Corrupt.class)
                .hasMessageContaining("segment AAAA of ")
                .hasMessageContaining("state 9 is unknown");
    }

    @Test
    void noneInAPartitionThatIsDeleted() {
        OffsetLookup found = lookup(
                PartitionDeletion.DELETE_PARTITION_FINISHED, List.of(new Found<>(AuditFixture.finished(1, 0, 99))));
        assertThat(found.answered()).isFalse();
        assertThat(found.why()).contains("the deletion of", "brokers get no answer");
    }
}
