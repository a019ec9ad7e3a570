package dev.shelfmark.tool.migrate.cutover;

import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.BulkLoader.Checkpoint;
import dev.shelfmark.store.admin.BulkLoading;
import dev.shelfmark.store.admin.LoadClaim;
import dev.shelfmark.tool.console.ProgressListener;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.Brokers;
import dev.shelfmark.tool.kafka.MetadataReader;
import dev.shelfmark.tool.kafka.MetadataTopic;
import dev.shelfmark.tool.migrate.importing.ImportEnd;
import dev.shelfmark.tool.migrate.importing.ImportPreflight;
import dev.shelfmark.tool.migrate.importing.PreflightFinding;
import dev.shelfmark.tool.migrate.importing.SkippedEvents;
import dev.shelfmark.tool.migrate.importing.TopicImport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Brings the catalogue up to where the metadata topic ended, or sees that a running import does. */
public final class CatchUp {

    private static final Duration TERM = Duration.ofSeconds(60);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    private final CatalogueStore store;
    private final BulkLoading loading;
    private final Brokers cluster;
    private final String clusterId;
    private final String user;
    private final ImportPreflight preflight;
    private final Path skippedEvents;
    private final ProgressListener listener;
    private final Consumer<String> lines;
    private final BooleanSupplier stopped;

    public CatchUp(
            CatalogueStore store,
            BulkLoading loading,
            Brokers cluster,
            String clusterId,
            String user,
            ImportPreflight preflight,
            Path skippedEvents,
            ProgressListener listener,
            Consumer<String> lines,
            BooleanSupplier stopped) {
        this.store = store;
        this.loading = loading;
        this.cluster = cluster;
        this.clusterId = clusterId;
        this.user = user;
        this.preflight = preflight;
        this.skippedEvents = skippedEvents;
        this.listener = listener;
        this.lines = lines;
        this.stopped = stopped;
    }

    /**
     * Until the catalogue holds everything before the topic's ends as they are given.
     *
     * @param during the cluster's state, in which alone something is brought in
     * @param deadline until when it waits for somebody else's import
     * @param late turns true when nobody wants to wait for its own any more
     */
    public void run(ClusterState during, MetadataTopic topic, Deadline deadline, BooleanSupplier late) {
        boolean told = false;
        while (true) {
            LoadClaim claim = loading.claimLoad(clusterId, during, user, TERM);
            if (claim instanceof LoadClaim.Granted granted) {
                try (BulkLoader loader = granted.loader()) {
                    bringIn(loader, topic, late);
                }
                return;
            }
            long behind = behind(topic);
            if (behind == 0) {
                return;
            }
            LoadClaim.Held held = (LoadClaim.Held) claim;
            if (!told) {
                lines.accept("waiting: the import is behind by " + behind + " records, and " + held.holder()
                        + " is at it, or was when it was killed: until " + held.until() + " unless it goes on");
                told = true;
            }
            if (deadline.passed() || stopped.getAsBoolean()) {
                throw ToolFailure.refused((deadline.passed() ? "" : "stopped while waiting: ")
                        + "the import is behind by " + behind + " records, and " + held.holder() + " is at it (until "
                        + held.until() + " unless it goes on)");
            }
            Pause.of(LOOK_AGAIN);
        }
    }

    private long behind(MetadataTopic topic) {
        Map<Integer, Checkpoint> checkpoints = loading.checkpoints(clusterId);
        return topic.partitions().stream()
                .mapToLong(offsets -> {
                    Checkpoint checkpoint = checkpoints.get(offsets.partition());
                    long next = checkpoint == null ? offsets.start() : checkpoint.nextOffset();
                    return Math.max(0, offsets.end() - Math.max(next, offsets.start()));
                })
                .sum();
    }

    private void bringIn(BulkLoader loader, MetadataTopic topic, BooleanSupplier late) {
        MetadataTopic now = ImportPreflight.asOf(loader.checkpoints(), topic, cluster::metadataTopic);
        for (PreflightFinding finding : preflight.progress(now, loader)) {
            if (finding.verdict() == PreflightFinding.Verdict.REFUSED) {
                throw ToolFailure.refused(finding.text());
            }
        }
        try (MetadataReader reader = cluster.reader();
                SkippedEvents skipped = SkippedEvents.in(skippedEvents)) {
            BooleanSupplier ended = () -> stopped.getAsBoolean() || late.getAsBoolean();
            TopicImport history = new TopicImport(
                    store, loader, clusterId, topic, reader, skipped, listener, ended, TopicImport.Limits.DEFAULT);
            ImportEnd ending = history.history();
            switch (ending) {
                case COMPLETE -> {}
                case STOPPED ->
                    throw ToolFailure.refused(
                            stopped.getAsBoolean()
                                    ? "stopped while the last records were brought in"
                                    : "the deadline passed before the last records were in; give a longer --deadline");
                case SWITCHED ->
                    throw ToolFailure.refused("somebody else moved cluster " + clusterId
                            + " while the last records were brought in; look at 'shelfmark state' and decide again");
            }
        }
    }
}
