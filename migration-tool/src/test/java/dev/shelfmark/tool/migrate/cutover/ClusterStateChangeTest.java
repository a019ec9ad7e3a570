package dev.shelfmark.tool.migrate.cutover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.StoreAdministration;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A switch whose answer is lost. */
final class ClusterStateChangeTest {

    private static final ClusterRecord DRAINING =
            new ClusterRecord("cluster", ClusterState.DRAINING_TO_READY, 4, Instant.EPOCH, "anna", "shelfmark cutover");

    private ClusterRecord kept = DRAINING;
    private int puts;

    /** Keeps times to the microsecond, as PostgreSQL does, and loses the answer to the first change. */
    private final StoreAdministration forgetful = (StoreAdministration) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {StoreAdministration.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("cluster")) {
                    return Optional.of(kept);
                }
                ClusterRecord next = (ClusterRecord) arguments[0];
                boolean taken = next.revision() == kept.revision() + 1;
                if (taken) {
                    kept = new ClusterRecord(
                            next.clusterId(),
                            next.state(),
                            next.revision(),
                            next.changedAt().truncatedTo(ChronoUnit.MICROS),
                            next.changedBy(),
                            next.note());
                }
                if (puts++ == 0) {
                    throw new StoreException.OutcomeUnknown("the connection broke", null);
                }
                return taken;
            });

    @Test
    void aMoveWhoseAnswerIsLostIsRecognisedAsItsOwn() {
        Clock nanoseconds = Clock.fixed(Instant.parse("2026-01-01T00:00:00.123456789Z"), ZoneOffset.UTC);
        ClusterRecord moved = new ClusterStateChange(forgetful, "cluster", nanoseconds, "anna")
                .move(DRAINING, ClusterState.READY, "shelfmark cutover");

        assertThat(moved.state()).isEqualTo(ClusterState.READY);
        assertThat(kept).isEqualTo(moved);
    }
}
