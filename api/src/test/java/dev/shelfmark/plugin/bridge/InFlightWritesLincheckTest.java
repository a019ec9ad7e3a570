package dev.shelfmark.plugin.bridge;

import dev.shelfmark.plugin.cluster.ClusterWatch.Sight;
import dev.shelfmark.store.ClusterState;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * Every interleaving of writes that begin and end with what is seen and acknowledged: none may differ from doing one after the other, so that nothing is under
 * way that an acknowledged revision forbids.
 */
public class InFlightWritesLincheckTest {

    private final InFlightWrites writes = new InFlightWrites(Duration.ofDays(1));
    private final Deque<InFlightWrites.Permit> permits = new ArrayDeque<>();
    private long revision = 1;

    public InFlightWritesLincheckTest() {
        writes.saw(sight());
    }

    private Sight sight() {
        return new Sight(
                revision % 2 == 0 ? ClusterState.DRAINING_TO_READY : ClusterState.READY,
                "",
                revision,
                System.nanoTime());
    }

    /** One thread looks at the cluster. */
    @Operation(nonParallelGroup = "watch")
    public void see() {
        revision++;
        writes.saw(sight());
    }

    @Operation(nonParallelGroup = "watch")
    public String acknowledge() {
        return writes.acknowledgement("").toString();
    }

    /** The revision that allowed it, or 0. */
    @Operation(nonParallelGroup = "writer")
    public long begin() {
        Optional<InFlightWrites.Permit> permit = writes.begin();
        permit.ifPresent(permits::push);
        return permit.map(InFlightWrites.Permit::revision).orElse(0L);
    }

    @Operation(nonParallelGroup = "writer")
    public boolean end() {
        InFlightWrites.Permit permit = permits.poll();
        if (permit != null) {
            writes.end(permit);
        }
        return permit != null;
    }

    @Operation
    public int underWay() {
        return writes.underWay();
    }

    @Test
    void nothingIsUnderWayThatAnAcknowledgedRevisionForbids() {
        new ModelCheckingOptions()
                .iterations(8)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(3)
                .check(InFlightWritesLincheckTest.class);
    }
}
