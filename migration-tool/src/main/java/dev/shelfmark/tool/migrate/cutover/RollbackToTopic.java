package dev.shelfmark.tool.migrate.cutover;

import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.tool.console.ProgressListener;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.Brokers;
import dev.shelfmark.tool.kafka.MetadataReader;
import dev.shelfmark.tool.kafka.MetadataTopic;
import dev.shelfmark.tool.migrate.exporting.CatalogueExport;
import dev.shelfmark.tool.migrate.exporting.CatalogueExport.Pass;
import dev.shelfmark.tool.migrate.exporting.TopicSink;
import dev.shelfmark.tool.migrate.verify.Difference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The topic becomes what the catalogue is: exported to, until Kafka's own cache of it gives every answer that the catalogue gives. */
public final class RollbackToTopic implements Cutover.Work {

    private static final int MOST_PASSES = 4;

    private final Brokers cluster;
    private final CatalogueStore store;
    private final String clusterId;
    private final Supplier<CatalogueExport.Known> known;
    private final ProgressListener listener;
    private final BooleanSupplier stopped;
    private final Duration limit;
    private final Consumer<String> lines;

    /**
     * One run.
     *
     * @param known asked before each series of passes
     * @param limit how long writes may wait
     */
    public RollbackToTopic(
            Brokers cluster,
            CatalogueStore store,
            String clusterId,
            Supplier<CatalogueExport.Known> known,
            ProgressListener listener,
            BooleanSupplier stopped,
            Duration limit,
            Consumer<String> lines) {
        this.cluster = cluster;
        this.store = store;
        this.clusterId = clusterId;
        this.known = known;
        this.listener = listener;
        this.stopped = stopped;
        this.limit = limit;
        this.lines = lines;
    }

    @Override
    public void prepare() {
        // Brokers go on writing to the catalogue: a few events will be missing again, and are written while they wait.
        long began = System.nanoTime();
        Pass last = passes(pass -> pass.events() == 0, () -> {});
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        lines.accept("the topic is nearly up to date: " + last.events() + " events were missing at the last look");
        if (took.compareTo(limit) > 0) {
            lines.accept("note     reading the topic took " + took.toSeconds()
                    + " s, and writes wait while it is done again, for " + limit.toSeconds()
                    + " s at most; --deadline gives more");
        }
    }

    @Override
    public void finish(Deadline deadline) {
        // A topic that takes longer to read than before must not keep writes waiting.
        Pass last = passes(Pass::complete, () -> {
            if (deadline.passed()) {
                throw ToolFailure.refused("the deadline of " + limit.toSeconds()
                        + " s passed before the topic said all that the catalogue says");
            }
        });
        if (!last.complete()) {
            throw ToolFailure.refused("the topic does not say all that the catalogue says: " + last.events()
                    + " events were missing at the last look, and " + last.moved() + " partitions changed under it");
        }
        lines.accept("the topic holds what the catalogue holds: " + last.partitions() + " partitions match ("
                + last.questions() + " lookups compared)");
    }

    private Pass passes(java.util.function.Predicate<Pass> enough, Runnable goingOn) {
        List<Difference> unexpected = new ArrayList<>();
        try (MetadataReader reader = cluster.reader();
                TopicSink sink = new TopicSink(cluster.writer())) {
            CatalogueExport export =
                    new CatalogueExport(store, clusterId, known.get(), sink, listener, stopped(goingOn), difference -> {
                        if (!difference.kind().expected()) {
                            unexpected.add(difference);
                        }
                    });
            for (int number = 1; ; number++) {
                unexpected.clear();
                Pass pass = export.pass(topic(), reader);
                if (enough.test(pass) || number == MOST_PASSES) {
                    refuse(unexpected);
                    return pass;
                }
            }
        }
    }

    private BooleanSupplier stopped(Runnable goingOn) {
        return () -> {
            goingOn.run();
            return stopped.getAsBoolean();
        };
    }

    private static void refuse(List<Difference> unexpected) {
        if (!unexpected.isEmpty()) {
            Difference first = unexpected.get(0);
            throw ToolFailure.refused(
                    "the topic does not say what the catalogue says, such as " + first.question() + " of "
                            + first.topic() + "-" + first.partition() + ": Kafka " + first.kafka() + ", the catalogue "
                            + first.catalogue() + "; stay with the catalogue and report this");
        }
    }

    private MetadataTopic topic() {
        return TopicSink.writable(cluster.metadataTopic()
                .orElseThrow(() -> ToolFailure.refused("the cluster has no topic " + MetadataTopic.NAME
                        + "; 'shelfmark export --create-topic' makes one")));
    }
}
