package dev.shelfmark.tool.storage.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rule that makes a segment's epochs from the checkpoint that was uploaded with it. */
final class EpochCheckpointTest {

    private static EpochCheckpoint checkpoint(String text) throws Exception {
        return EpochCheckpoint.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void theLastEpochAtOrBelowTheStartBeginsWithTheSegment() throws Exception {
        EpochCheckpoint epochs = checkpoint("0\n4\n0 0\n2 40\n3 100\n5 150\n");
        assertThat(epochs.within(60, 120).toMap()).isEqualTo(Map.of(2, 60L, 3, 100L));
        assertThat(epochs.within(100, 149).toMap()).isEqualTo(Map.of(3, 100L));
        assertThat(epochs.within(0, 39).toMap()).isEqualTo(Map.of(0, 0L));
    }

    @Test
    void epochsThatBeginBehindTheEndAreLaterOnes() throws Exception {
        EpochCheckpoint epochs = checkpoint("0\n3\n0 0\n1 50\n2 51\n");
        assertThat(epochs.within(0, 50).toMap()).isEqualTo(Map.of(0, 0L, 1, 50L));
        assertThat(epochs.within(0, 49).toMap()).isEqualTo(Map.of(0, 0L));
        assertThat(epochs.within(0, 51).toMap()).isEqualTo(Map.of(0, 0L, 1, 50L, 2, 51L));
    }

    @Test
    void anEpochWithoutRecordsWithinTheSegmentStays() throws Exception {
        EpochCheckpoint epochs = checkpoint("0\n4\n0 0\n1 10\n2 10\n3 10\n");
        assertThat(epochs.within(5, 20).toMap()).isEqualTo(Map.of(0, 5L, 1, 10L, 2, 10L, 3, 10L));
        assertThat(epochs.within(10, 20).toMap())
                .as("before the start only the last counts")
                .isEqualTo(Map.of(3, 10L));
    }

    @Test
    void whatIsNotACheckpointIsRefused() {
        assertThatThrownBy(() -> checkpoint("1\n0\n")).hasMessageContaining("version '1'");
        assertThatThrownBy(() -> checkpoint("0\n2\n0 0\n")).hasMessageContaining("cut short");
        assertThatThrownBy(() -> checkpoint("")).hasMessageContaining("cut short");
        assertThatThrownBy(() -> checkpoint("0\n1\n0 x\n")).hasMessageContaining("no number");
        assertThatThrownBy(() -> checkpoint("0\n1\n0 0 0\n")).hasMessageContaining("'0 0 0'");
        assertThatThrownBy(() -> checkpoint("0\n1\n3 100\n").within(50, 120))
                .isInstanceOf(UnreadableSegmentException.class)
                .hasMessageContaining("start offset 50");
    }
}
