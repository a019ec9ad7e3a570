package dev.shelfmark.tool.migrate;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.admin.BulkLoading;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.tool.cluster.StateMeaning;
import dev.shelfmark.tool.config.Target;
import dev.shelfmark.tool.console.BrokerOptions;
import dev.shelfmark.tool.console.ProgressDisplay;
import dev.shelfmark.tool.console.TargetOptions;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.console.ToolPreconditions;
import dev.shelfmark.tool.failure.ExitCode;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.Brokers;
import dev.shelfmark.tool.migrate.cutover.BrokerAcknowledgements;
import dev.shelfmark.tool.migrate.cutover.CatchUp;
import dev.shelfmark.tool.migrate.cutover.ClusterStateChange;
import dev.shelfmark.tool.migrate.cutover.Cutover;
import dev.shelfmark.tool.migrate.cutover.CutoverToCatalogue;
import dev.shelfmark.tool.migrate.cutover.OfflineCheck;
import dev.shelfmark.tool.migrate.cutover.Precondition;
import dev.shelfmark.tool.migrate.importing.ImportPreflight;
import dev.shelfmark.tool.migrate.importing.SkippedEvents;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code shelfmark cutover}: the catalogue becomes the truth, while the brokers run. */
@Command(
        name = "cutover",
        description = {
            "Moves a cluster from Kafka's metadata topic to the catalogue, while its brokers run in bridge mode"
                    + " (rlmm.config.migration.mode=bridge): importing, draining_to_ready, ready. Nothing is changed unless every broker is"
                    + " on the bridge, the import is up to date and the catalogue verified.",
            "While draining, brokers' writes of metadata wait; producers and consumers do not. It gives up after the deadline and goes back to"
                    + " importing. A run that was killed is finished, or given up, by the next."
        },
        footer = {
            "",
            "Example:",
            "  shelfmark cutover --config server.properties --user shelfmark_owner \\",
            "      --bootstrap-server broker:9092 --command-config client.properties"
        })
public final class CutoverCommand implements Callable<Integer> {

    private static final String RISK =
            "segments that brokers copy from now on are unknown to the catalogue: brokers that use it move log start offsets for good"
                    + " and never delete those segments";

    @Mixin
    private final TargetOptions target = new TargetOptions();

    @Mixin
    private final BrokerOptions brokers = new BrokerOptions();

    @Mixin
    private final PauseOptions pause = new PauseOptions();

    @Option(names = "--verify-once", description = "Do not compare everything a second time while writes wait.")
    private boolean verifyOnce;

    @Option(
            names = "--offline",
            description =
                    "Without the bridge: brokers use the catalogue after their next restart. Refused unless copying is disabled"
                            + " (remote.log.copy.disable) on every tiered topic.")
    private boolean offline;

    @Option(
            names = "--force",
            description = "With --offline: although segments are copied, or topics are hidden. Tells the risk.")
    private boolean force;

    @Option(
            names = ImportPreflight.ACCEPT_TRUNCATED,
            description = "As 'shelfmark import': a part of the history is or may be gone.")
    private boolean acceptTruncated;

    @Option(
            names = "--skipped-events",
            paramLabel = "FILE",
            description = "As 'shelfmark import': append events that changed nothing to FILE.")
    private @Nullable Path skippedEvents;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final ToolContext surroundings;
    private final Set<String> accepted = new HashSet<>();

    public CutoverCommand(ToolContext surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (force && !offline) {
            throw ToolFailure.usage(
                    "--force is for --offline; the way over the bridge has no risk that could be accepted");
        }
        Target where = target.target(surroundings);
        ProgressDisplay progress =
                new ProgressDisplay(spec.commandLine().getErr(), surroundings.terminal(), System::nanoTime);
        try (Brokers cluster = surroundings.brokers().connect(brokers.required());
                CatalogueListing listing = where.listing();
                StoreAdministration administration = where.administration();
                CatalogueStore store = where.store()) {
            ToolPreconditions.schemaIsCurrent(administration);
            String id = cluster.clusterId();
            if (!(administration instanceof BulkLoading loading)) {
                throw ToolFailure.refused("this store takes no imports: nothing was changed");
            }
            CatchUp catchUp = new CatchUp(
                    store,
                    loading,
                    cluster,
                    id,
                    surroundings.user(),
                    new ImportPreflight(acceptTruncated),
                    skippedEvents != null ? skippedEvents : SkippedEvents.defaultFile(id),
                    progress,
                    progress::line,
                    surroundings.stopped());
            Precondition check = new Precondition(store, listing, cluster, progress, surroundings.stopped());
            CutoverToCatalogue work =
                    new CutoverToCatalogue(cluster, catchUp, check, pause.deadline(), !verifyOnce, progress::line);
            ClusterStateChange clusterSwitch =
                    new ClusterStateChange(administration, id, surroundings.clock(), surroundings.user());
            BrokerAcknowledgements acknowledgements = new BrokerAcknowledgements(
                    cluster, administration, id, pause.absent(), progress::line, surroundings.stopped());
            if (offline) {
                offline(cluster, listing, clusterSwitch, acknowledgements, work, progress);
            } else {
                new Cutover(
                                Cutover.Route.TO_THE_CATALOGUE,
                                clusterSwitch,
                                acknowledgements,
                                cluster,
                                work,
                                pause.deadline(),
                                progress::line)
                        .run();
            }
        } finally {
            progress.end();
        }
        return ExitCode.OK.code();
    }

    private void offline(
            Brokers cluster,
            CatalogueListing listing,
            ClusterStateChange clusterSwitch,
            BrokerAcknowledgements acknowledgements,
            CutoverToCatalogue work,
            ProgressDisplay progress) {
        ClusterRecord found = clusterSwitch.current();
        if (found.state() == ClusterState.READY) {
            progress.line("cluster " + found.clusterId() + " is ready since " + found.changedAt());
            return;
        }
        if (found.state() != ClusterState.IMPORTING) {
            throw ToolFailure.refused("cluster " + found.clusterId() + " is " + StateMeaning.name(found.state())
                    + "; --offline is for one that is importing");
        }
        ensureNothingIsCopied(found.clusterId(), cluster, listing, acknowledgements, progress);
        work.prepare();
        // The last records may be of topics that the catalogue did not know before, and they took their time.
        ensureNothingIsCopied(found.clusterId(), cluster, listing, acknowledgements, progress);
        clusterSwitch.move(found, ClusterState.READY, "shelfmark cutover --offline" + (force ? " --force" : ""));
        progress.line("ready: restart the brokers with the plugin, then enable copying again");
    }

    private void ensureNothingIsCopied(
            String clusterId,
            Brokers cluster,
            CatalogueListing listing,
            BrokerAcknowledgements acknowledgements,
            ProgressDisplay progress) {
        List<Integer> bridged = acknowledgements.onTheBridge();
        if (!bridged.isEmpty()) {
            throw ToolFailure.refused(
                    "the brokers " + bridged + " are on the bridge: what they write while the cluster is switched would"
                            + " be lost. Leave out --offline, which is for clusters without the bridge");
        }
        List<String> copying = OfflineCheck.copying(cluster);
        if (!copying.isEmpty()) {
            String objection = copying.size() + " tiered topics are still copied (" + String.join(", ", first(copying))
                    + "): " + RISK;
            object(
                    objection,
                    "Set remote.log.copy.disable=true on each, wait until their last copies are done, and run this again;"
                            + " --force does it all the same",
                    progress);
        }
        List<String> unseen = OfflineCheck.unseen(listing, clusterId, cluster);
        if (!unseen.isEmpty()) {
            String objection = "the brokers do not tell this login of " + unseen.size()
                    + " topics of which the catalogue has segments (" + String.join(", ", first(unseen))
                    + "), so whether they are copied is not known: " + RISK;
            object(
                    objection,
                    "Give the login the rights Describe and DescribeConfigs on every topic; if they are deleted, --force"
                            + " goes on",
                    progress);
        }
    }

    private void object(String objection, String nextStep, ProgressDisplay progress) {
        if (!force) {
            throw ToolFailure.refused(objection + ". " + nextStep);
        }
        if (accepted.add(objection)) {
            progress.line("warning  " + objection + " (accepted by --force)");
        }
    }

    private static List<String> first(List<String> topics) {
        return topics.subList(0, Math.min(5, topics.size()));
    }
}
