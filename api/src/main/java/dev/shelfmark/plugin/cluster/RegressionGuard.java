package dev.shelfmark.plugin.cluster;

import dev.shelfmark.store.BrokerProgress;
import dev.shelfmark.store.CatalogueProgress;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState.Truth;
import dev.shelfmark.store.ProgressKeeping;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.TextualId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that the database went back, or that another one answers in its place, also after a restart: compares what the store says of the
 * brokers' progress with what this broker has seen, and keeps that in a file. For one thread, but for {@link #committed}.
 */
final class RegressionGuard {

    private static final Logger LOG = LoggerFactory.getLogger(RegressionGuard.class);
    private static final String NEXT_STEP =
            "; nothing is answered until an operator has reconciled it: run 'shelfmark state"
                    + " set CLUSTER restoring', 'shelfmark rebuild', 'shelfmark state accept-restored CLUSTER' and 'shelfmark state"
                    + " set CLUSTER ready', see docs/restore.md";

    private final String clusterId;
    private final int brokerId;
    private final @Nullable ProgressFile file;
    private @Nullable SeenProgress seen;
    private boolean fileRead;
    private boolean unwritableTold;
    private boolean unsupportedTold;
    private String warnedOf = "";
    private volatile boolean uncounted;

    /** @param directory where the file is kept; one that is not there leaves the guard without memory of earlier starts */
    RegressionGuard(String clusterId, int brokerId, Path directory) {
        this.clusterId = clusterId;
        this.brokerId = brokerId;
        if (Files.isDirectory(directory)) {
            this.file = new ProgressFile(directory, clusterId, brokerId);
        } else {
            this.file = null;
            LOG.warn(
                    "Cluster {}: there is no directory {}, so a database that went back while this broker was down is"
                            + " not noticed; set rlmm.config.state.directory",
                    clusterId,
                    directory);
        }
    }

    /** This broker committed something that is not counted yet. Any thread. */
    void committed() {
        uncounted = true;
    }

    /**
     * Looks at the store's progress.
     *
     * @param cluster the cluster's record as it was just read, or null for none
     * @return why the store must not be believed; empty when nothing speaks against it
     * @throws StoreException when the store can't tell
     */
    Optional<String> check(CatalogueStore store, @Nullable ClusterRecord cluster) {
        Optional<String> unreadable = readFile();
        if (unreadable.isPresent()) {
            return unreadable;
        }
        SeenProgress trusted = trusted();
        if (!(store instanceof ProgressKeeping keeping)) {
            tellUnsupported();
            return trusted == null
                    ? Optional.empty()
                    : Optional.of("this broker has worked with the catalogue " + trusted.catalogueId()
                            + ", but the store keeps no ids of catalogues" + NEXT_STEP);
        }
        if (cluster == null) {
            return trusted == null
                    ? Optional.empty()
                    : Optional.of(
                            "cluster " + clusterId + " is unknown to the database, but this broker has worked with"
                                    + " the catalogue " + trusted.catalogueId() + NEXT_STEP);
        }
        Truth truth = cluster.state().truth();
        // While nothing may be answered, the source of truth is what it was before.
        return check(keeping, truth == Truth.CATALOGUE || (truth == Truth.NOWHERE && trusted != null));
    }

    /** What a store is held against: nothing while Kafka's topic was the source of truth, as the catalogue may then be made anew. */
    private @Nullable SeenProgress trusted() {
        SeenProgress before = seen;
        return before != null && before.authoritative() ? before : null;
    }

    private Optional<String> check(ProgressKeeping store, boolean authoritative) {
        CatalogueProgress progress = progress(store);
        SeenProgress trusted = trusted();
        if (trusted != null) {
            Optional<String> contradiction = trusted.contradicts(progress);
            if (contradiction.isPresent()) {
                warnOthers(store, progress, trusted.notice(brokerId, progress, contradiction.get()));
                return contradiction.map(reason -> reason + NEXT_STEP);
            }
        }
        Optional<String> noticed = authoritative ? noticedByOthers(progress) : Optional.empty();
        if (noticed.isPresent()) {
            return noticed.map(reason -> reason + NEXT_STEP);
        }
        SeenProgress before = seen;
        remember(before == null ? SeenProgress.of(progress, authoritative) : before.then(progress, authoritative));
        return Optional.empty();
    }

    private CatalogueProgress progress(ProgressKeeping store) {
        Optional<CatalogueProgress> found = store.progress(clusterId);
        if (found.isEmpty()) {
            store.begin(clusterId, TextualId.of(UUID.randomUUID()));
            found = store.progress(clusterId);
        }
        return found.orElseThrow(() ->
                new StoreException.Unavailable("the id of the catalogue of cluster " + clusterId + " is gone", null));
    }

    private Optional<String> noticedByOthers(CatalogueProgress progress) {
        return progress.brokers().stream()
                .filter(broker -> broker.regression().catalogueId().equals(progress.catalogueId()))
                .findFirst()
                .map(broker -> "broker " + broker.brokerId() + " reports: "
                        + broker.regression().reason());
    }

    private void warnOthers(ProgressKeeping store, CatalogueProgress progress, BrokerProgress notice) {
        if (warnedOf.equals(progress.catalogueId())) {
            return;
        }
        try {
            store.putProgress(clusterId, notice);
            warnedOf = progress.catalogueId();
        } catch (StoreException e) {
            LOG.debug("Cluster {}: the other brokers can't be warned yet", clusterId, e);
        }
    }

    private void remember(SeenProgress now) {
        SeenProgress before = seen;
        if (now.equals(before)) {
            return;
        }
        if (before != null && !before.catalogueId().equals(now.catalogueId())) {
            LOG.info(
                    "Cluster {}: the catalogue {} was accepted in the place of {}",
                    clusterId,
                    now.catalogueId(),
                    before.catalogueId());
        }
        seen = now;
        warnedOf = "";
        if (file == null) {
            return;
        }
        try {
            file.write(now);
            unwritableTold = false;
        } catch (IOException | RuntimeException e) {
            if (!unwritableTold) {
                unwritableTold = true;
                LOG.warn(
                        "Cluster {}: {} can't be written, so a database that goes back by little may not be noticed"
                                + " after a restart: {}",
                        clusterId,
                        file.path(),
                        e.toString());
            }
        }
    }

    private Optional<String> readFile() {
        if (fileRead || file == null) {
            return Optional.empty();
        }
        try {
            seen = file.read().orElse(null);
            fileRead = true;
            return Optional.empty();
        } catch (IOException | RuntimeException e) {
            return Optional.of("the file " + file.path()
                    + ", which says how far this broker has seen the catalogue, is of no" + " use: " + e.getMessage()
                    + "; make sure that the database did not go back, then remove the file");
        }
    }

    private void tellUnsupported() {
        if (!unsupportedTold) {
            unsupportedTold = true;
            LOG.warn(
                    "Cluster {}: a database that went back is not noticed before 'shelfmark upgrade-schema' has brought the"
                            + " schema up to date",
                    clusterId);
        }
    }

    /**
     * Raises this broker's counter if it has committed something since the last time.
     *
     * @throws StoreException when the store can't take it; the next call tries again
     */
    void count(CatalogueStore store) {
        SeenProgress before = seen;
        if (!uncounted || before == null || !(store instanceof ProgressKeeping keeping)) {
            return;
        }
        // What is committed from here on is counted by the next call.
        uncounted = false;
        try {
            long counter = before.counters().getOrDefault(brokerId, 0L) + 1;
            keeping.putProgress(clusterId, new BrokerProgress(brokerId, counter, BrokerProgress.Regression.NONE));
            remember(before.counted(brokerId, counter));
        } catch (RuntimeException | Error e) {
            uncounted = true;
            throw e;
        }
    }
}
