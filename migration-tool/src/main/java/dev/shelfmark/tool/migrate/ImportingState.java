package dev.shelfmark.tool.migrate;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.BulkLoader.Checkpoint;
import dev.shelfmark.store.admin.BulkLoading;
import dev.shelfmark.store.admin.LoadClaim;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.tool.cluster.ClusterRecords;
import dev.shelfmark.tool.config.Target;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.console.ToolPreconditions;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.MetadataTopic;
import dev.shelfmark.tool.migrate.importing.DryRunLoader;
import dev.shelfmark.tool.migrate.importing.ImportPreflight;
import dev.shelfmark.tool.migrate.importing.PreflightFinding;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Lets one import at a time into a catalogue, and only into one that is being imported. */
final class ImportingState {

    /** Longer than any step of an import; a killed one is taken over after it. */
    static final Duration TERM = Duration.ofSeconds(60);

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final StoreAdministration administration;
    private final ToolContext surroundings;
    private final String clusterId;
    private final ImportPreflight preflight;
    private final Consumer<String> notices;

    ImportingState(
            StoreAdministration administration,
            ToolContext surroundings,
            String clusterId,
            ImportPreflight preflight,
            Consumer<String> notices) {
        this.administration = administration;
        this.surroundings = surroundings;
        this.clusterId = clusterId;
        this.preflight = preflight;
        this.notices = notices;
    }

    /**
     * Into a catalogue.
     *
     * @param findings about what is there already
     */
    record Way(CatalogueStore store, BulkLoader loader, List<PreflightFinding> findings) implements AutoCloseable {
        @Override
        public void close() {
            try (store) {
                loader.close();
            }
        }
    }

    /** Whether the store's side is ready for an import. */
    List<PreflightFinding> findings() {
        ToolPreconditions.schemaIsCurrent(administration);
        return List.of(preflight.registration(clusterId, administration.cluster(clusterId)));
    }

    /** Into a catalogue in memory that nobody else sees; what is found is of the real one. */
    Way rehearsal(MetadataTopic topic, Supplier<Optional<MetadataTopic>> again) {
        List<PreflightFinding> findings = List.of();
        if (administration instanceof BulkLoading loading) {
            Map<Integer, Checkpoint> checkpoints = loading.checkpoints(clusterId);
            findings = preflight.progress(ImportPreflight.asOf(checkpoints, topic, again), checkpoints);
        }
        DryRunLoader rehearsal = new DryRunLoader(clusterId, topic);
        return new Way(rehearsal.store(), rehearsal.loader(), findings);
    }

    /**
     * Into the real one; registers the cluster.
     *
     * @param again asks the brokers for the topic as it is now
     */
    Way open(MetadataTopic topic, Supplier<Optional<MetadataTopic>> again, Target target) {
        BulkLoader loader = claim();
        try {
            List<PreflightFinding> findings =
                    preflight.progress(ImportPreflight.asOf(loader.checkpoints(), topic, again), loader);
            if (findings.stream().noneMatch(finding -> finding.verdict() == PreflightFinding.Verdict.REFUSED)) {
                boolean unused = new ClusterRecords(administration, surroundings.clock(), surroundings.user())
                        .registerIfUnknown(clusterId, ClusterState.IMPORTING, "import of " + MetadataTopic.NAME);
            }
            return new Way(target.store(), loader, findings);
        } catch (RuntimeException e) {
            loader.close();
            throw e;
        }
    }

    /**
     * Takes the claim. One that another holds is waited for as long as nobody renews it: that is how one looks whose holder was
     * killed. One that is renewed has a living holder.
     */
    private BulkLoader claim() {
        if (!(administration instanceof BulkLoading loading)) {
            throw ToolFailure.refused(
                    "this store takes no imports: nothing was changed; choose a store that does with the key 'store'");
        }
        Optional<Instant> first = Optional.empty();
        while (true) {
            LoadClaim claim = loading.claimLoad(clusterId, surroundings.user(), TERM);
            if (claim instanceof LoadClaim.Granted granted) {
                return granted.loader();
            }
            LoadClaim.Held held = (LoadClaim.Held) claim;
            if (first.isPresent() && !held.until().equals(first.get())) {
                throw ToolFailure.refused("another import of cluster " + clusterId + " is running, by " + held.holder()
                        + ": let it finish, or stop it and run this again");
            }
            if (first.isEmpty()) {
                notices.accept("the last import, by " + held.holder() + ", may still be running: waiting until "
                        + held.until() + " to see");
            }
            first = Optional.of(held.until());
            pause();
        }
    }

    private void pause() {
        try {
            Thread.sleep(LOOK_AGAIN.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ToolFailure.refused("interrupted while waiting for another import of cluster " + clusterId);
        }
        if (surroundings.stopped().getAsBoolean()) {
            throw ToolFailure.refused("stopped while waiting for another import of cluster " + clusterId);
        }
    }
}
