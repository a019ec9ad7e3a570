package dev.shelfmark.tool.migrate.cutover;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.tool.console.ProgressListener;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.Brokers;
import dev.shelfmark.tool.kafka.MetadataTopic;
import dev.shelfmark.tool.migrate.verify.Difference;
import dev.shelfmark.tool.migrate.verify.Verification;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Compares the catalogue with Kafka's own cache, and lets nothing pass that is not expected. */
public final class Precondition {

    private final CatalogueStore store;
    private final CatalogueListing listing;
    private final Brokers cluster;
    private final ProgressListener listener;
    private final BooleanSupplier stopped;

    public Precondition(
            CatalogueStore store,
            CatalogueListing listing,
            Brokers cluster,
            ProgressListener listener,
            BooleanSupplier stopped) {
        this.store = store;
        this.listing = listing;
        this.cluster = cluster;
        this.listener = listener;
        this.stopped = stopped;
    }

    /**
     * Compares up to the topic's ends as they are given.
     *
     * @param standsStill whether nobody writes to either side
     * @param goingOn throws when nobody wants to wait any more
     * @return what was compared, for people
     */
    public String run(MetadataTopic topic, boolean standsStill, Runnable goingOn) {
        List<Difference> unexpected = new ArrayList<>();
        BooleanSupplier ended = () -> {
            goingOn.run();
            return stopped.getAsBoolean();
        };
        Verification verification = new Verification(store, listing, cluster, topic, listener, ended, difference -> {
            if (!difference.kind().expected()) {
                unexpected.add(difference);
            }
        });
        if (standsStill) {
            verification.ofWhatStandsStill();
        }
        verification.run();
        if (!unexpected.isEmpty()) {
            Difference first = unexpected.get(0);
            throw ToolFailure.refused("the catalogue differs from Kafka's cache in " + unexpected.size()
                    + " answers, the first being " + first.kind() + " of " + first.topic() + "-"
                    + first.partition() + ", " + first.question() + ": Kafka says " + first.kafka()
                    + ", the catalogue " + first.catalogue() + "; 'shelfmark verify' shows them");
        }
        return (verification.same() + verification.movedOn()) + " partitions match (" + verification.questions()
                + " lookups compared)";
    }
}
