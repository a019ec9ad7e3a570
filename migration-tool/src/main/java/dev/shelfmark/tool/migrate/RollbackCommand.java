package dev.shelfmark.tool.migrate;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.tool.config.Target;
import dev.shelfmark.tool.console.BrokerOptions;
import dev.shelfmark.tool.console.ProgressDisplay;
import dev.shelfmark.tool.console.TargetOptions;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.console.ToolPreconditions;
import dev.shelfmark.tool.failure.ExitCode;
import dev.shelfmark.tool.kafka.Brokers;
import dev.shelfmark.tool.migrate.cutover.BrokerAcknowledgements;
import dev.shelfmark.tool.migrate.cutover.ClusterStateChange;
import dev.shelfmark.tool.migrate.cutover.Cutover;
import dev.shelfmark.tool.migrate.cutover.RollbackToTopic;
import dev.shelfmark.tool.migrate.exporting.CatalogueSnapshot;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code shelfmark rollback}: the topic becomes the truth again, while the brokers run. */
@Command(
        name = "rollback",
        description = {
            "Moves a cluster from the catalogue back to Kafka's metadata topic, while its brokers run in bridge mode"
                    + " (rlmm.config.migration.mode=bridge): ready, draining_to_bridged, bridged. The topic is brought up to date before,"
                    + " and again while writes wait, until Kafka's own cache of it gives every answer that the catalogue gives.",
            "It gives up after the deadline and goes back to ready. A run that was killed is finished, or given up, by the next."
        },
        footer = {
            "",
            "Example:",
            "  shelfmark rollback --config server.properties --user shelfmark_owner \\",
            "      --bootstrap-server broker:9092 --command-config client.properties"
        })
public final class RollbackCommand implements Callable<Integer> {

    @Mixin
    private final TargetOptions target = new TargetOptions();

    @Mixin
    private final BrokerOptions brokers = new BrokerOptions();

    @Mixin
    private final PauseOptions pause = new PauseOptions();

    @Option(
            names = "--forget-unknown",
            description = "As 'shelfmark export': delete from the topic what only the topic has and was not imported.")
    private boolean forgetUnknown;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final ToolContext surroundings;

    public RollbackCommand(ToolContext surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        Target where = target.target(surroundings);
        ProgressDisplay progress =
                new ProgressDisplay(spec.commandLine().getErr(), surroundings.terminal(), System::nanoTime);
        try (Brokers cluster = surroundings.brokers().connect(brokers.required());
                CatalogueListing listing = where.listing();
                StoreAdministration administration = where.administration();
                CatalogueStore store = where.store()) {
            ToolPreconditions.schemaIsCurrent(administration);
            String id = cluster.clusterId();
            RollbackToTopic work = new RollbackToTopic(
                    cluster,
                    store,
                    id,
                    () -> CatalogueSnapshot.of(listing, administration, cluster, id, forgetUnknown),
                    progress,
                    surroundings.stopped(),
                    pause.deadline(),
                    progress::line);
            new Cutover(
                            Cutover.Route.BACK_TO_THE_TOPIC,
                            new ClusterStateChange(administration, id, surroundings.clock(), surroundings.user()),
                            new BrokerAcknowledgements(
                                    cluster,
                                    administration,
                                    id,
                                    pause.absent(),
                                    progress::line,
                                    surroundings.stopped()),
                            cluster,
                            work,
                            pause.deadline(),
                            progress::line)
                    .run();
        } finally {
            progress.end();
        }
        return ExitCode.OK.code();
    }
}
