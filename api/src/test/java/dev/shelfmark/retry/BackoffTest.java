package dev.shelfmark.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class BackoffTest {

    private final Backoff backoff = new Backoff(Duration.ofMillis(20), Duration.ofMillis(100));

    @Test
    void theLimitDoublesUpToTheLongest() {
        assertThat(backoff.limit(1)).isEqualTo(Duration.ofMillis(20));
        assertThat(backoff.limit(2)).isEqualTo(Duration.ofMillis(40));
        assertThat(backoff.limit(3)).isEqualTo(Duration.ofMillis(80));
        assertThat(backoff.limit(4)).isEqualTo(Duration.ofMillis(100));
        assertThat(backoff.limit(Integer.MAX_VALUE)).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void aPauseIsARandomPartOfTheLimit() {
        for (int attempt = 1; attempt < 100; attempt++) {
            assertThat(backoff.pause(attempt)).isPositive().isLessThanOrEqualTo(backoff.limit(attempt));
        }
    }
}
