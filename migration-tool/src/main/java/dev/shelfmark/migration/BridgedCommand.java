package dev.shelfmark.migration;

import dev.shelfmark.migration.brokers.Brokers;
import dev.shelfmark.migration.config.Target;
import dev.shelfmark.migration.cutover.BackToTheTopic;
import dev.shelfmark.migration.cutover.BrokerAcknowledgements;
import dev.shelfmark.migration.cutover.ClusterSwitch;
import dev.shelfmark.migration.cutover.Passage;
import dev.shelfmark.migration.export.KnownCatalogue;
import dev.shelfmark.migration.outcome.ExitCode;
import dev.shelfmark.store.CatalogueListing;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.StoreAdministration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code shelfmark bridged}: the topic becomes the truth again, while the brokers run. */
@Command(
        name = "bridged",
        description = {
            "Moves a cluster from the catalogue back to Kafka's metadata topic, while its brokers run in bridge mode"
                    + " (rlmm.config.migration.mode=bridge): ready, draining_to_bridged, bridged. The topic is brought up to date before,"
                    + " and again while writes wait, until Kafka's own cache of it gives every answer that the catalogue gives.",
            "It gives up after the deadline and goes back to ready. A run that was killed is finished, or given up, by the next."
        },
        footer = {
            "",
            "Example:",
            "  shelfmark bridged --config server.properties --user shelfmark_owner \\",
            "      --bootstrap-server broker:9092 --command-config client.properties"
        })
final class BridgedCommand implements Callable<Integer> {

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

    private final Surroundings surroundings;

    BridgedCommand(Surroundings surroundings) {
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
            BackToTheTopic work = new BackToTheTopic(
                    cluster,
                    store,
                    id,
                    () -> KnownCatalogue.of(listing, administration, cluster, id, forgetUnknown),
                    progress,
                    surroundings.stopped(),
                    pause.deadline(),
                    progress::line);
            new Passage(
                            Passage.Route.BACK_TO_THE_TOPIC,
                            new ClusterSwitch(administration, id, surroundings.clock(), surroundings.user()),
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
