package dev.shelfmark.tool.setup;

import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.tool.cluster.ClusterRecords;
import dev.shelfmark.tool.config.Target;
import dev.shelfmark.tool.console.BrokerOptions;
import dev.shelfmark.tool.console.TargetOptions;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ExitCode;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.Brokers;
import dev.shelfmark.tool.kafka.KafkaConnection;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code shelfmark init}: the schema, and a new cluster's registration. */
@Command(
        name = "init",
        description = {
            "Prepares the store's schema and registers a NEW Kafka cluster as ready: brokers with this cluster id are answered"
                    + " from then on, and an empty catalogue means to them that nothing is tiered.",
            "For a cluster that has tiered before that would lose its tiered data: 'shelfmark import' is for those. With"
                    + " --bootstrap-server the brokers are asked for the cluster's id and whether it has such a history. Name the remote"
                    + " storage, and it is refused while there are segments in it.",
            "Running it again is harmless."
        },
        footer = {
            "",
            "Example: with the brokers' own configuration file and the schema owner's login",
            "  SHELFMARK_PASSWORD=... shelfmark init --config server.properties \\",
            "      --user shelfmark_owner --bootstrap-server broker:9092",
            "",
            "Example: refused while the bucket holds segments",
            "  SHELFMARK_PASSWORD=... shelfmark init --config server.properties \\",
            "      --user shelfmark_owner --bootstrap-server broker:9092 --bucket tier --prefix PREFIX",
            "",
            "Example: before the first broker has started",
            "  shelfmark init --config server.properties --no-broker-check \\",
            "      --cluster-id MkU3OEVBNTcwNTJENDM2Qg"
        })
public final class InitCommand implements Callable<Integer> {

    @Mixin
    private final TargetOptions target = new TargetOptions();

    @Mixin
    private final BrokerOptions brokers = new BrokerOptions();

    @Mixin
    private final RemainingSegments remaining = new RemainingSegments();

    @Option(
            names = "--cluster-id",
            paramLabel = "ID",
            description = "The Kafka cluster's id; asked from the brokers when --bootstrap-server is given.")
    private @Nullable String clusterId;

    @Option(
            names = "--no-broker-check",
            description =
                    "Without --bootstrap-server: you vouch that the cluster is new and has never tiered anything.")
    private boolean noBrokerCheck;

    @Option(
            names = "--new-although-metadata-exists",
            description =
                    "Register the cluster as new although its topic __remote_log_metadata holds or held records. What"
                            + " they describe is lost to the brokers: they move their log start offsets and may delete it.")
    private boolean newAlthoughMetadataExists;

    @Option(
            names = "--yes-lose-history-of",
            paramLabel = "CLUSTER",
            description =
                    "With --new-although-metadata-exists: the cluster's id typed out, as what it has tiered is lost.")
    private @Nullable String loseHistoryOf;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final ToolContext surroundings;

    public InitCommand(ToolContext surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Target store = target.target(surroundings);
        NewCluster cluster = newCluster();
        try (StoreAdministration administration = store.administration()) {
            if (!registered(administration, cluster)) {
                requireNoSegments(cluster);
                requireConfirmed(cluster, out);
            }
            administration.migrate().forEach(out::println);
            out.println("the schema is at version " + administration.schema().current());
            administration.rights().forEach(out::println);
            Registration registration =
                    new Registration(new ClusterRecords(administration, surroundings.clock(), surroundings.user()));
            registration.register(cluster, newAlthoughMetadataExists).forEach(out::println);
        }
        return ExitCode.OK.code();
    }

    private static boolean registered(StoreAdministration administration, NewCluster cluster) {
        return administration.schema().current() > 0
                && administration.cluster(cluster.clusterId()).isPresent();
    }

    private void requireNoSegments(NewCluster cluster) {
        remaining.found().ifPresent(segments -> {
            throw ToolFailure.refused("cluster " + cluster.clusterId() + " is not new: " + segments
                    + ", which would be lost to it. Bring them in with 'shelfmark import' or 'shelfmark rebuild', or empty the"
                    + " storage first. Nothing was changed");
        });
    }

    /** Before anything is changed: what is lost, and that the operator means this cluster. */
    private void requireConfirmed(NewCluster cluster, PrintWriter out) {
        if (!newAlthoughMetadataExists || cluster.objection().isEmpty()) {
            return;
        }
        out.println("lost to cluster " + cluster.clusterId() + ": whatever it has tiered; "
                + cluster.objection().get());
        if (!cluster.clusterId().equals(loseHistoryOf)) {
            throw ToolFailure.refused(
                    "within moments brokers would move log start offsets for good and delete segments."
                            + " Bring the history in with 'shelfmark import' instead, or give it up with --yes-lose-history-of "
                            + cluster.clusterId() + ". Nothing was changed");
        }
    }

    private NewCluster newCluster() {
        Optional<KafkaConnection> connection = brokers.connection();
        if (connection.isPresent()) {
            return asked(connection.get());
        }
        if (clusterId == null) {
            throw ToolFailure.usage(
                    "which cluster? Give --bootstrap-server, which also checks that it is new, or --cluster-id");
        }
        if (!noBrokerCheck) {
            throw ToolFailure.usage(
                    "without --bootstrap-server nobody can tell whether cluster " + clusterId
                            + " has tiered before; give the brokers' address, or --no-broker-check if you are sure that it is new");
        }
        return NewCluster.unchecked(clusterId);
    }

    private NewCluster asked(KafkaConnection connection) {
        try (Brokers cluster = surroundings.brokers().connect(connection)) {
            String actual = cluster.clusterId();
            if (clusterId != null && !clusterId.equals(actual)) {
                throw ToolFailure.refused("the brokers at " + connection + " form the cluster " + actual + ", not "
                        + clusterId + " as --cluster-id says; check both");
            }
            return NewCluster.checked(actual, cluster.metadataTopic());
        }
    }
}
