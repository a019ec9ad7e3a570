package dev.shelfmark.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.compat.SkippedBackEnds;
import dev.shelfmark.soak.record.Plant;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A minute of {@code bin/soak} with one seed. */
@Tag("broker")
class SoakTest {

    private static final long SEED = 7;

    @BeforeAll
    static void skippedAloud() {
        SkippedBackEnds.abortIfNamed("postgres");
    }

    @Test
    void everyPromiseHoldsForAMinute() {
        assertThat(SoakRun.run(true, Duration.ofMinutes(1), SEED, Plant.NONE, System.out))
                .isEmpty();
    }
}
