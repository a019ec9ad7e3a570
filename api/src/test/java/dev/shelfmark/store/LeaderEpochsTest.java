package dev.shelfmark.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Where an epoch ends: the one statement of the rule. */
final class LeaderEpochsTest {

    private static final long SEGMENT_END = 99;

    @Test
    void anEpochEndsBeforeTheNextAndTheLastWithTheSegment() {
        LeaderEpochs epochs = LeaderEpochs.of(new int[] {1, 4}, new long[] {0, 50});

        assertThat(epochs.endOffset(0, SEGMENT_END)).isEqualTo(49);
        assertThat(epochs.endOffset(1, SEGMENT_END)).isEqualTo(99);
    }

    @Test
    void anEmptyEpochEndsBeforeItStartsAndHoldsNothing() {
        LeaderEpochs epochs = LeaderEpochs.of(new int[] {1, 2, 4}, new long[] {0, 50, 50});

        assertThat(epochs.endOffset(1, SEGMENT_END)).isEqualTo(49);
        assertThat(epochs.holds(1, 49, SEGMENT_END)).isFalse();
        assertThat(epochs.holds(1, 50, SEGMENT_END)).isFalse();
        assertThat(epochs.holds(2, 50, SEGMENT_END)).isTrue();
    }

    @Test
    void bothEndsAreHeld() {
        LeaderEpochs epochs = LeaderEpochs.of(new int[] {1, 4}, new long[] {10, 50});

        assertThat(epochs.holds(0, 9, SEGMENT_END)).isFalse();
        assertThat(epochs.holds(0, 10, SEGMENT_END)).isTrue();
        assertThat(epochs.holds(0, 49, SEGMENT_END)).isTrue();
        assertThat(epochs.holds(0, 50, SEGMENT_END)).isFalse();
        assertThat(epochs.holds(1, 99, SEGMENT_END)).isTrue();
        assertThat(epochs.holds(1, 100, SEGMENT_END)).isFalse();
        assertThat(epochs.holds(epochs.position(3), 50, SEGMENT_END)).isFalse();
    }

    /** As Kafka answers from its topic; only what is said to be held is cut off. */
    @Test
    void epochsThatGoBeyondTheSegmentsEndAreCutOffOnlyInWhatIsHeld() {
        LeaderEpochs epochs = LeaderEpochs.of(new int[] {1, 2}, new long[] {0, 200});

        assertThat(epochs.endOffset(0, SEGMENT_END)).isEqualTo(199);
        assertThat(epochs.holds(0, 150, SEGMENT_END)).isTrue();
        assertThat(epochs.heldEndOffset(0, SEGMENT_END)).isEqualTo(99);
        assertThat(epochs.heldEndOffset(1, SEGMENT_END)).isEqualTo(99);
    }
}
