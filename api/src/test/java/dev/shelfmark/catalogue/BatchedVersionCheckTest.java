package dev.shelfmark.catalogue;

import static dev.shelfmark.catalogue.Segments.PARTITION;
import static dev.shelfmark.catalogue.Segments.TOPIC;
import static dev.shelfmark.catalogue.Segments.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists of many partitions that are led, over a store that tells many versions at once. */
class BatchedVersionCheckTest {

    private static final Duration LONG = Duration.ofHours(1);
    private static final CatalogueSettings PATIENT =
            new CatalogueSettings(1_000_000, LONG, Duration.ZERO, LONG, Duration.ofSeconds(10));
    private static final List<PartitionKey> PARTITIONS = IntStream.range(0, 5)
            .mapToObj(i -> new PartitionKey(PARTITION.clusterId(), PARTITION.topicId(), i))
            .toList();

    private final InMemoryCatalogueStore.Database database = WatchedStore.database();
    private final WatchedStore store = new WatchedStore.OfVersions(database, LONG);
    private final SegmentCatalogue broker = catalogue(store);
    private final SegmentCatalogue otherBroker = catalogue(new WatchedStore(database, LONG));

    private static SegmentCatalogue catalogue(WatchedStore store) {
        return new SegmentCatalogue(store, PATIENT, CatalogueListener.NONE, Runnable::run);
    }

    private static void add(SegmentCatalogue catalogue, PartitionKey key, int number) {
        catalogue.write(key, TOPIC, List.of(Segments.add(number, number, number)), Deadline.in(Duration.ofSeconds(5)));
    }

    private List<UUID> list(PartitionKey key) {
        List<UUID> ids = new ArrayList<>();
        broker.list(key, SegmentRecord::segmentId).forEachRemaining(ids::add);
        return ids;
    }

    private List<String> askedByListingAll() {
        store.asked.clear();
        PARTITIONS.forEach(this::list);
        return List.copyOf(store.asked);
    }

    /** Told anew that it leads, a broker trusts nothing that it read before. */
    private void leadAnew() {
        broker.leads(Set.copyOf(PARTITIONS));
    }

    @BeforeEach
    void fill() {
        PARTITIONS.forEach(key -> add(otherBroker, key, 1));
        leadAnew();
        assertThat(askedByListingAll()).containsOnly("All").hasSize(5);
        assertThat(askedByListingAll()).isEmpty();
        leadAnew();
    }

    @Test
    void one_question_confirms_them_all() {
        assertThat(askedByListingAll()).containsExactly("versions of 5");
        assertThat(askedByListingAll()).isEmpty();
    }

    @Test
    void what_has_changed_is_read_and_nothing_else() {
        add(otherBroker, PARTITIONS.get(3), 2);

        assertThat(askedByListingAll()).containsExactly("versions of 5", "ChangedSince");
        assertThat(list(PARTITIONS.get(3))).containsExactly(id(1), id(2));
    }

    @Test
    void a_change_that_comes_after_the_question_is_seen_at_the_next_look() {
        list(PARTITIONS.get(0));
        add(otherBroker, PARTITIONS.get(3), 2);
        leadAnew();

        assertThat(list(PARTITIONS.get(3))).containsExactly(id(1), id(2));
    }

    @Test
    void one_that_is_not_led_any_more_is_not_asked_for_with_the_others() {
        broker.follows(Set.of(PARTITIONS.get(4)));

        store.asked.clear();
        list(PARTITIONS.get(0));
        assertThat(store.asked).containsExactly("versions of 4");
    }

    @Test
    void nothing_is_answered_when_the_store_can_not_tell_and_memory_may_not() {
        store.down = true;

        assertThatThrownBy(() -> list(PARTITIONS.get(0))).isInstanceOf(StoreException.Unavailable.class);
    }
}
