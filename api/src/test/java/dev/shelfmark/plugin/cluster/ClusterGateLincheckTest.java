package dev.shelfmark.plugin.cluster;

import dev.shelfmark.plugin.cluster.ClusterWatch.Sight;
import dev.shelfmark.store.ClusterState;
import java.time.Duration;
import org.jetbrains.lincheck.datastructures.BooleanGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Who asks a gate while its cluster is seen to change, or while it is closed, gets the answer of before or of after; once closed, it stays so. */
public class ClusterGateLincheckTest {

    private final ClusterGate gate = new ClusterGate("a", Duration.ofDays(1), false, () -> {});
    private long revision;

    @Operation(nonParallelGroup = "watch")
    public void see(@Param(gen = BooleanGen.class) boolean ready) {
        gate.saw(new Sight(ready ? ClusterState.READY : ClusterState.IMPORTING, "", ++revision, System.nanoTime()));
    }

    @Operation
    public void close() {
        gate.close();
    }

    @Operation
    public String closedBecause() {
        return gate.closedBecause().orElse("");
    }

    @Operation
    public long acknowledged() {
        return gate.acknowledgement().revision();
    }

    @Test
    void everyAnswerIsOneOfBeforeOrAfter() {
        new ModelCheckingOptions()
                .iterations(5)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(3)
                .check(ClusterGateLincheckTest.class);
    }
}
