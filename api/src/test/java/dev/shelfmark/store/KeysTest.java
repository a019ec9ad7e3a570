package dev.shelfmark.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.Selection.Position;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What names a partition, and the order of ids. */
final class KeysTest {

    private static final UUID TOPIC = new UUID(1, 2);

    @Test
    void partitions_are_the_same_when_cluster_topic_and_number_are() {
        PartitionKey key = new PartitionKey("cluster", TOPIC, 3);
        PartitionKey same = new PartitionKey(new String("cluster"), new UUID(1, 2), 3);
        assertThat(key).isEqualTo(same).hasSameHashCodeAs(same);
        assertThat(key)
                .isNotEqualTo(new PartitionKey("other", TOPIC, 3))
                .isNotEqualTo(new PartitionKey("cluster", new UUID(2, 1), 3))
                .isNotEqualTo(new PartitionKey("cluster", TOPIC, 4))
                .isNotEqualTo(null)
                .isNotEqualTo("cluster");
    }

    @Test
    void ids_are_ordered_as_unsigned_numbers_the_high_half_first() {
        List<UUID> ascending = Stream.of(
                        new UUID(0, 1), new UUID(0, -1), new UUID(1, 0), new UUID(-1, 0), new UUID(-1, -1))
                .toList();
        for (int i = 0; i < ascending.size(); i++) {
            for (int j = 0; j < ascending.size(); j++) {
                assertThat(Integer.signum(SegmentIdOrder.compare(ascending.get(i), ascending.get(j))))
                        .as("%s and %s", ascending.get(i), ascending.get(j))
                        .isEqualTo(Integer.compare(i, j));
            }
        }
    }

    @Test
    void positions_are_ordered_by_offset_and_then_by_id() {
        assertThat(new Position(1, new UUID(-1, 0))).isLessThan(new Position(2, new UUID(0, 0)));
        assertThat(new Position(2, new UUID(0, 0))).isLessThan(new Position(2, new UUID(-1, 0)));
        assertThat(new Position(2, TOPIC)).isEqualByComparingTo(new Position(2, TOPIC));
    }
}
