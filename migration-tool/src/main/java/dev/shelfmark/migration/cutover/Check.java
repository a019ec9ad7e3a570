package dev.shelfmark.migration.cutover;

import dev.shelfmark.migration.brokers.Brokers;
import dev.shelfmark.migration.brokers.MetadataTopic;
import dev.shelfmark.migration.history.ImportListener;
import dev.shelfmark.migration.outcome.ToolFailure;
import dev.shelfmark.migration.verify.Difference;
import dev.shelfmark.migration.verify.Verification;
import dev.shelfmark.store.CatalogueListing;
import dev.shelfmark.store.CatalogueStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Compares the catalogue with Kafka's own cache, and lets nothing pass that is not expected. */
public final class Check {

    private final CatalogueStore store;
    private final CatalogueListing listing;
    private final Brokers cluster;
    private final ImportListener listener;
    private final BooleanSupplier stopped;

    public Check(
            CatalogueStore store,
            CatalogueListing listing,
            Brokers cluster,
            ImportListener listener,
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
        return verification.questions() + " answers of " + (verification.same() + verification.movedOn())
                + " partitions are the same";
    }
}
