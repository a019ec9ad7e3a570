package dev.shelfmark.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.dynamodb.items.ClusterItem;
import dev.shelfmark.dynamodb.items.HeadItem;
import dev.shelfmark.dynamodb.items.HighestItem;
import dev.shelfmark.dynamodb.items.Item;
import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.dynamodb.items.SegmentItem;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.StoreException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Every item, there and back, and every way of being broken. */
final class ItemsTest {

    private static final String PARTITION = ItemKeys.partition(new PartitionKey("lkc-1 / Ünïcode", new UUID(0, 1), 7));

    @ParameterizedTest
    @EnumSource(SegmentState.class)
    void segmentThereAndBack(SegmentState state) {
        Random random = new Random(state.name().hashCode());
        for (int i = 0; i < 200; i++) {
            SegmentRecord segment = segment(random, state);
            assertThat(SegmentItem.parse(new Item(SegmentItem.of(PARTITION, segment, 5))))
                    .isEqualTo(segment);
        }
    }

    @ParameterizedTest
    @EnumSource(SegmentState.class)
    void onlyLiveSegmentsAreInTheLiveIndexesAndOnlyDeletedOnesExpire(SegmentState state) {
        SegmentRecord segment = segment(new Random(1), state);
        Map<String, AttributeValue> item = SegmentItem.of(PARTITION, segment, 1_767_830_400);

        assertThat(item.containsKey(ItemKeys.POSITION)).isEqualTo(state.live());
        assertThat(item.containsKey(ItemKeys.TXN_POSITION)).isEqualTo(state.live() && !segment.txnIndexEmpty());
        assertThat(item.get(ItemKeys.EXPIRES_AT)).isEqualTo(state.live() ? null : AttributeValue.fromN("1767830400"));
    }

    @Test
    void headThereAndBack() {
        for (Set<UUID> deleted : Set.of(Set.<UUID>of(), Set.of(new UUID(-1, 2), new UUID(3, -4)))) {
            HeadItem head = new HeadItem(
                    12, "orders", 9, 999, PartitionDeletion.DELETE_PARTITION_MARKED, "id", 11, 1, 2, deleted);
            assertThat(HeadItem.parse(new Item(head.toItem(PARTITION)))).isEqualTo(head);
        }
    }

    @Test
    void clusterThereAndBack() {
        ClusterRecord cluster = new ClusterRecord(
                "lkc-1 / Ünïcode",
                ClusterState.RESTORING,
                3,
                Instant.parse("2026-01-01T00:00:00.123456789Z"),
                "anna",
                "");
        assertThat(ClusterItem.parse(new Item(ClusterItem.of(cluster)))).isEqualTo(cluster);
    }

    @Test
    void highestOffsetsThereAndBack() {
        NavigableMap<Integer, Long> raised =
                new TreeMap<>(Map.of(-65, 1L, -1, 2L, 0, 3L, 63, 4L, 64, 5L, Integer.MAX_VALUE, Long.MAX_VALUE));
        NavigableMap<Integer, Long> read = new TreeMap<>();
        HighestItem.group(raised, 9, 10).forEach((sortKey, epochs) -> {
            Map<String, AttributeValue> item = new HashMap<>(ItemKeys.of(PARTITION, sortKey));
            item.put(ItemKeys.VERSION, AttributeValue.fromN("9"));
            epochs.forEach((epoch, offset) -> item.put(epoch.toString(), AttributeValue.fromN(offset.toString())));
            HighestItem.mergeInto(read, new Item(item));
        });

        assertThat(read).isEqualTo(raised);
        assertThat(HighestItem.group(raised, 9, 10)).hasSize(5);
        assertThat(HighestItem.group(raised, 9, 4))
                .as("too many for four actions")
                .containsOnlyKeys("HIGHEST#at-9");
        assertThat(HighestItem.group(new TreeMap<>(), 9, 4)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"startOffset", "leaderEpochs", "state", "txnIndexEmpty", "version"})
    void aMissingAttributeIsCorruptAndNamed(String name) {
        Map<String, AttributeValue> item =
                SegmentItem.of(PARTITION, segment(new Random(1), SegmentState.COPY_SEGMENT_FINISHED), 0);
        item.remove(name);
        assertThatThrownBy(() -> SegmentItem.parse(new Item(item)))
                .isInstanceOf(StoreException.Corrupt.class)
                .hasMessageContaining(name)
                .hasMessageContaining(PARTITION);
        item.put(name, AttributeValue.fromNul(true));
        assertThatThrownBy(() -> SegmentItem.parse(new Item(item))).isInstanceOf(StoreException.Corrupt.class);
    }

    @Test
    void contradictionsAreCorrupt() {
        SegmentRecord segment = segment(new Random(1), SegmentState.COPY_SEGMENT_FINISHED);
        Map<String, AttributeValue> item = SegmentItem.of(PARTITION, segment, 0);
        item.put("endOffset", AttributeValue.fromN("-1"));
        assertThatThrownBy(() -> SegmentItem.parse(new Item(item))).isInstanceOf(StoreException.Corrupt.class);

        Map<String, AttributeValue> size = SegmentItem.of(PARTITION, segment, 0);
        size.put("sizeInBytes", AttributeValue.fromN("3000000000"));
        assertThatThrownBy(() -> SegmentItem.parse(new Item(size))).isInstanceOf(StoreException.Corrupt.class);

        Map<String, AttributeValue> noEpochs = SegmentItem.of(PARTITION, segment, 0);
        noEpochs.put("leaderEpochs", AttributeValue.fromM(Map.of()));
        assertThatThrownBy(() -> SegmentItem.parse(new Item(noEpochs))).isInstanceOf(StoreException.Corrupt.class);

        Map<String, AttributeValue> badId = SegmentItem.of(PARTITION, segment, 0);
        badId.put(ItemKeys.SK, AttributeValue.fromS("SEGMENT#nonsense"));
        assertThatThrownBy(() -> SegmentItem.parse(new Item(badId))).isInstanceOf(StoreException.Corrupt.class);
    }

    private static SegmentRecord segment(Random random, SegmentState state) {
        long start = random.nextLong() >>> (1 + random.nextInt(62));
        long end = start + Math.min(random.nextInt(1_000), Long.MAX_VALUE - start);
        TreeMap<Integer, Long> epochs = new TreeMap<>();
        for (int i = 0; i <= random.nextInt(4); i++) {
            epochs.put(random.nextInt(100), start + random.nextInt(5));
        }
        return SegmentRecord.builder(
                        new UUID(random.nextLong(), random.nextLong()), start, end, LeaderEpochs.of(epochs))
                .state(state)
                .maxTimestampMs(random.nextBoolean() ? -1 : random.nextLong())
                .sizeInBytes(random.nextInt())
                .txnIndexEmpty(random.nextBoolean())
                .customMetadata(random.nextBoolean() ? null : CustomMetadata.of(new byte[random.nextInt(3)]))
                .brokerId(random.nextInt())
                .eventTimestampMs(random.nextLong())
                .version(random.nextLong() >>> 1)
                .finishedVersion(random.nextInt(3))
                .build();
    }
}
