package dev.shelfmark.tool.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.tool.failure.ToolFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class BoundedReadTest {

    private static final Duration STALL = Duration.ofMillis(50);

    private long position;
    private int empty;

    /** Sends one record a poll, and every second time nothing. */
    private final MetadataReader reader = new MetadataReader() {
        private boolean nothing;

        @Override
        public void seek(Map<Integer, Long> offsets) {
            position = offsets.getOrDefault(0, 0L);
        }

        @Override
        public List<MetadataRecord> poll(Duration wait) {
            nothing = !nothing;
            if (nothing || position == 3) {
                empty++;
                pause(Duration.ofMillis(5));
                return List.of();
            }
            return List.of(new MetadataRecord(0, position++, 0, null));
        }

        @Override
        public Map<Integer, Long> positions() {
            return Map.of(0, position);
        }

        @Override
        public Map<Integer, Long> ends() {
            return Map.of();
        }

        @Override
        public void close() {}
    };

    private static void pause(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }

    @Test
    void theTimeThatTheTakerNeedsIsNotTheBrokers() {
        List<Long> offsets = new ArrayList<>();
        new BoundedRead(reader, STALL).read(0, 0, 3, (records, now) -> {
            records.forEach(record -> offsets.add(record.offset()));
            pause(STALL.multipliedBy(2));
            return true;
        });
        assertThat(offsets).containsExactly(0L, 1L, 2L);
    }

    @Test
    void brokersThatSendNothingAreGivenUp() {
        assertThatThrownBy(() -> new BoundedRead(reader, STALL).read(0, 0, 4, (records, now) -> true))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("goes on at offset 3");
        assertThat(empty).isGreaterThan(3);
    }
}
