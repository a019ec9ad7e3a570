package dev.shelfmark.tool.migrate.cutover;

import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.Brokers;
import dev.shelfmark.tool.kafka.MetadataTopic;
import java.time.Duration;
import java.util.function.Consumer;

/** The catalogue becomes what the topic is: imported to its end, and verified. */
public final class CutoverToCatalogue implements Cutover.Work {

    private static final Duration FOR_ANOTHERS_IMPORT = Duration.ofSeconds(90);

    private final Brokers cluster;
    private final CatchUp catchUp;
    private final Precondition check;
    private final Duration limit;
    private final boolean verifyAgain;
    private final Consumer<String> lines;

    /**
     * One run.
     *
     * @param limit how long writes may wait
     * @param verifyAgain whether everything is compared a second time while they do
     */
    public CutoverToCatalogue(
            Brokers cluster,
            CatchUp catchUp,
            Precondition check,
            Duration limit,
            boolean verifyAgain,
            Consumer<String> lines) {
        this.cluster = cluster;
        this.catchUp = catchUp;
        this.check = check;
        this.limit = limit;
        this.verifyAgain = verifyAgain;
        this.lines = lines;
    }

    @Override
    public void prepare() {
        MetadataTopic topic = topic();
        catchUp.run(ClusterState.IMPORTING, topic, Deadline.in(FOR_ANOTHERS_IMPORT), () -> false);
        lines.accept("the import is up to date");
        long began = System.nanoTime();
        lines.accept("verified: " + check.run(topic, false, () -> {}));
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        if (verifyAgain && took.multipliedBy(2).compareTo(limit) > 0) {
            throw ToolFailure.refused(
                    "verifying took " + took.toSeconds() + " s, and it is done again while writes wait, for "
                            + limit.toSeconds() + " s at most: give a longer --deadline (brokers wait for"
                            + " rlmm.config.migration.write.wait.ms), or --verify-once to leave what arrives from now on to the import");
        }
    }

    @Override
    public void finish(Deadline deadline) {
        // Its ends are asked for now, when the last write is acknowledged and nobody writes.
        MetadataTopic topic = topic();
        catchUp.run(ClusterState.DRAINING_TO_READY, topic, deadline, deadline::passed);
        lines.accept("the topic's last records are in");
        if (verifyAgain) {
            // A comparison that takes longer than the first one did must not keep writes waiting.
            String verified = check.run(topic, true, () -> {
                if (deadline.passed()) {
                    throw ToolFailure.refused("the deadline of " + limit.toSeconds()
                            + " s passed before everything was compared; give a longer --deadline, or --verify-once");
                }
            });
            lines.accept("verified to the end: " + verified);
        }
    }

    private MetadataTopic topic() {
        return cluster.metadataTopic()
                .orElseThrow(() -> ToolFailure.refused("the cluster has no topic " + MetadataTopic.NAME
                        + ": it has never tiered, so 'shelfmark init' registers it"));
    }
}
