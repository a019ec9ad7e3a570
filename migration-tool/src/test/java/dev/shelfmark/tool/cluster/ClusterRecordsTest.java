package dev.shelfmark.tool.cluster;

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

/** A change whose answer is lost. */
final class ClusterRecordsTest {

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

    private final Clock nanoseconds = Clock.fixed(Instant.parse("2026-01-01T00:00:00.123456789Z"), ZoneOffset.UTC);
    private final ClusterRecords records = new ClusterRecords(forgetful, nanoseconds, "anna");

    @Test
    void aChangeWhoseAnswerIsLostIsRecognisedAsItsOwn() {
        Optional<ClusterRecord> moved = records.put("cluster", ClusterState.READY, 5, "shelfmark ready");

        assertThat(moved).contains(kept);
        assertThat(kept.state()).isEqualTo(ClusterState.READY);
        assertThat(puts).isEqualTo(2);
    }

    @Test
    void aLostAnswerIsNotTakenForAYesWhenSomebodyElseWasFaster() {
        ClusterRecord theirs = new ClusterRecord("cluster", ClusterState.READY, 5, Instant.EPOCH, "bob", "");
        kept = theirs;

        assertThat(records.put("cluster", ClusterState.READY, 5, "shelfmark ready"))
                .isEmpty();
        assertThat(kept).isEqualTo(theirs);
    }
}
