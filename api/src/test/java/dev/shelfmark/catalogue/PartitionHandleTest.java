package dev.shelfmark.catalogue;

import static dev.shelfmark.catalogue.Segments.PARTITION;
import static dev.shelfmark.catalogue.Segments.TOPIC;
import static dev.shelfmark.catalogue.Segments.add;
import static dev.shelfmark.catalogue.Segments.finish;
import static dev.shelfmark.catalogue.Segments.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.catalogue.index.PartitionIndex;
import dev.shelfmark.catalogue.rules.MetadataEvent;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** All of it within one moment: the handle is not told anew what the cache holds. */
class PartitionHandleTest {

    private static final Duration LONG = Duration.ofHours(1);

    private final InMemoryCatalogueStore.Database database = WatchedStore.database();
    private final WatchedStore store = new WatchedStore(database, LONG);
    private final SegmentCatalogue catalogue = new SegmentCatalogue(
            store,
            new CatalogueSettings(50, LONG, Duration.ZERO, LONG, Duration.ofSeconds(10)),
            CatalogueListener.NONE,
            Runnable::run);
    private final PartitionHandle handle = catalogue.handle(PARTITION);
    private long now;

    @BeforeEach
    void is_held() {
        write(PARTITION, add(1, 0, 9), finish(1), add(2, 10, 19));
        catalogue.leads(Set.of(PARTITION));
        list(PARTITION);
        now = System.nanoTime();
        assertThat(Objects.requireNonNull(held()).size()).isEqualTo(2);
    }

    private @Nullable PartitionIndex held() {
        return catalogue.held(handle, now);
    }

    private void write(PartitionKey key, MetadataEvent... events) {
        catalogue.write(key, TOPIC, List.of(events), Deadline.in(Duration.ofSeconds(5)));
    }

    private void list(PartitionKey key) {
        catalogue.list(key, SegmentRecord::segmentId).forEachRemaining(unused -> {});
    }

    private Optional<UUID> lookup(long offset) {
        return Objects.requireNonNull(held())
                .lookup(
                        0,
                        offset,
                        (segments, position) -> segments.segment(position).segmentId());
    }

    @Test
    void shows_what_was_written_since() {
        assertThat(lookup(15)).isEmpty();
        write(PARTITION, finish(2));
        assertThat(lookup(15)).contains(id(2));
    }

    @Test
    void lets_go_of_what_the_cache_pushes_out() {
        pushOut();

        assertThat(held()).isNull();
    }

    @Test
    void shows_what_is_held_again() {
        pushOut();
        write(PARTITION, finish(2));
        for (int i = 0; catalogue.held(catalogue.handle(PARTITION), System.nanoTime()) == null; i++) {
            assertThat(i).as("tries to be held again").isLessThan(10_000);
            list(PARTITION);
        }
        now = System.nanoTime();

        assertThat(lookup(15)).contains(id(2));
    }

    private void pushOut() {
        for (int i = 0; catalogue.held(catalogue.handle(PARTITION), System.nanoTime()) != null; i++) {
            assertThat(i).as("tries to push it out").isLessThan(10_000);
            for (int other = 0; other < 20; other++) {
                list(new PartitionKey(PARTITION.clusterId(), PARTITION.topicId(), 100 + other));
            }
        }
    }

    @Test
    void lets_go_of_what_is_to_be_forgotten() {
        catalogue.forget();

        assertThat(held()).isNull();
    }

    @Test
    void lets_go_of_a_partition_that_the_broker_has_no_more_to_do_with() {
        catalogue.stops(Set.of(PARTITION));

        assertThat(held()).isNull();
    }

    @Test
    void holds_nothing_for_a_follower() {
        catalogue.follows(Set.of(PARTITION));

        assertThat(held()).isNull();
    }

    @Test
    void holds_nothing_from_before_the_partition_was_led_again() {
        catalogue.leads(Set.of(PARTITION));

        assertThat(held()).isNull();
        list(PARTITION);
        assertThat(held()).isNotNull();
    }
}
