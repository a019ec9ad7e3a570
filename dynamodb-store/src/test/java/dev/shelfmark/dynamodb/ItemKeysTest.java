package dev.shelfmark.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.StoreException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Keys sort as the records do, and never meet. */
final class ItemKeysTest {

    private static final long[] OFFSETS = {0, 1, 9, 10, 99, 1_000_000, 1L << 40, Long.MAX_VALUE - 1, Long.MAX_VALUE};
    private static final UUID[] IDS = {
        new UUID(0, 0), new UUID(0, 1), new UUID(0, -1), new UUID(1, 0), new UUID(-1, 0), new UUID(-1, -1)
    };

    @Test
    void positionsSortByStartOffsetAndThenByIdAsAnUnsignedNumber() {
        String before = "";
        for (long offset : OFFSETS) {
            for (UUID id : IDS) {
                String position = ItemKeys.position(offset, id);
                assertThat(compare(before, position)).isNegative();
                before = position;
            }
        }
    }

    @Test
    void boundsEncloseThePositionsOfAnOffset() {
        for (int i = 0; i < OFFSETS.length; i++) {
            for (UUID id : IDS) {
                String position = ItemKeys.position(OFFSETS[i], id);
                assertThat(compare(ItemKeys.before(OFFSETS[i]), position)).isNegative();
                assertThat(compare(position, ItemKeys.after(OFFSETS[i]))).isNegative();
                if (i > 0) {
                    assertThat(compare(ItemKeys.after(OFFSETS[i - 1]), position))
                            .isNegative();
                }
                if (i + 1 < OFFSETS.length) {
                    assertThat(compare(position, ItemKeys.before(OFFSETS[i + 1])))
                            .isNegative();
                }
            }
        }
        assertThat(ItemKeys.before(-5)).isEqualTo(ItemKeys.before(0));
    }

    @Test
    void headAndHighestOffsetsSortBeforeSegments() {
        assertThat(compare(ItemKeys.HEAD, ItemKeys.highest(-3))).isNegative();
        for (String highest : List.of(ItemKeys.highest(-3), ItemKeys.highest(12), ItemKeys.highestAt(7))) {
            assertThat(compare(ItemKeys.HEAD, highest)).isNegative();
            assertThat(compare(highest, ItemKeys.SEGMENT_PREFIX)).isNegative();
        }
        assertThat(compare(ItemKeys.SEGMENT_PREFIX, ItemKeys.segment(new UUID(0, 0))))
                .isNegative();
    }

    @Test
    void noTwoKeysMeetWhateverTheClusterIsCalled() {
        Random random = new Random(4);
        String[] pieces = {"a", "/", "#", "-", "0", "7", "partition#", "registry#", "AAAAAAAAAAAAAAAAAAAAAQ", "clusters"
        };
        Map<String, Object> owners =
                new HashMap<>(Map.of(ItemKeys.CLUSTERS, "clusters", ItemKeys.SHELFMARK, "shelfmark"));
        for (int i = 0; i < 20_000; i++) {
            StringBuilder cluster = new StringBuilder("c");
            for (int j = random.nextInt(5); j >= 0; j--) {
                cluster.append(pieces[random.nextInt(pieces.length)]);
            }
            String clusterId = cluster.substring(1);
            PartitionKey key = new PartitionKey(clusterId, new UUID(0, random.nextInt(2)), random.nextInt(20));
            assertThat(owners.merge(ItemKeys.partition(key), key, (before, unused) -> before))
                    .isEqualTo(key);
            assertThat(owners.merge(ItemKeys.registry(clusterId), clusterId, (before, unused) -> before))
                    .isEqualTo(clusterId);
        }
    }

    @Test
    void aClusterIdIsNoLongerThanASortKey() {
        assertThat(ItemKeys.cluster("ü".repeat(512))).hasSize(512);
        assertThatThrownBy(() -> ItemKeys.cluster("ü".repeat(513))).isInstanceOf(StoreException.Unsupported.class);
    }

    /** As DynamoDB compares text: by its UTF-8 bytes, unsigned. */
    private static int compare(String one, String other) {
        return Arrays.compareUnsigned(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
