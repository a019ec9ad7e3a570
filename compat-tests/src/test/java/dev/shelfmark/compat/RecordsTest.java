package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The values that the contracts compare: if their equality were wrong, every comparison would be hollow. */
final class RecordsTest {

    @Test
    void customMetadataIsEqualByContentAndShowsItsSizeOnly() {
        CustomMetadata one = CustomMetadata.of(new byte[] {1, 2});
        assertThat(one).isEqualTo(CustomMetadata.of(new byte[] {1, 2})).isNotEqualTo(CustomMetadata.of(new byte[] {1, 3
        }));
        assertThat(CustomMetadata.of(new byte[0])).isNotEqualTo(one);
        assertThat(one).hasToString("CustomMetadata[2 bytes]");
        byte[] given = {7};
        CustomMetadata copy = CustomMetadata.of(given);
        given[0] = 8;
        copy.bytes()[0] = 9;
        assertThat(copy.bytes()).containsExactly(7);
    }

    @Test
    void leaderEpochsAreEqualByEpochsAndOffsets() {
        LeaderEpochs epochs = LeaderEpochs.of(new int[] {1, 2, 4}, new long[] {0, 50, 50});
        assertThat(epochs).isEqualTo(LeaderEpochs.of(new TreeMap<>(Map.of(1, 0L, 2, 50L, 4, 50L))));
        assertThat(epochs).isNotEqualTo(LeaderEpochs.of(new int[] {1, 2, 4}, new long[] {0, 50, 51}));
        assertThat(epochs).isNotEqualTo(LeaderEpochs.of(new int[] {1, 2, 5}, new long[] {0, 50, 50}));
        assertThat(epochs.endOffset(0, 99)).isEqualTo(49);
        assertThat(epochs.endOffset(1, 99)).as("an empty epoch").isEqualTo(49);
        assertThat(epochs.endOffset(2, 99)).isEqualTo(99);
        assertThat(epochs.position(3)).isNegative();
        assertThatThrownBy(() -> LeaderEpochs.of(new int[] {2, 1}, new long[] {0, 1}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LeaderEpochs.of(new int[0], new long[0])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aSegmentHoldsBothItsEnds() {
        SegmentRecord segment = Segments.started(10, 20);
        assertThat(List.of(segment.holds(9), segment.holds(10), segment.holds(20), segment.holds(21)))
                .containsExactly(false, true, true, false);
        assertThatThrownBy(() -> Segments.started(10, 9)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Segments.started(-1, 9)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aCommitRaisesTheVersionAndNamesEachSegmentOnce() {
        PartitionHead head = new PartitionHead(3, "t", 0, 0, PartitionDeletion.NONE, new TreeMap<>());
        SegmentRecord segment = Segments.started(0, 9);
        assertThatThrownBy(() -> new PartitionCommit(3, head, List.of(), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PartitionCommit(2, head, List.of(segment, segment), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPartitionOfNoClusterOrANegativeNumberCantBeNamed() {
        UUID topic = UUID.randomUUID();
        assertThatThrownBy(() -> new PartitionKey("", topic, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new PartitionKey("c", topic, -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
