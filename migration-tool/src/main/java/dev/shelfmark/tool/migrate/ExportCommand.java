package dev.shelfmark.tool.migrate;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.tool.cluster.StateMeaning;
import dev.shelfmark.tool.config.Target;
import dev.shelfmark.tool.console.BrokerOptions;
import dev.shelfmark.tool.console.OutputFormat;
import dev.shelfmark.tool.console.ProgressDisplay;
import dev.shelfmark.tool.console.Table;
import dev.shelfmark.tool.console.TargetOptions;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ExitCode;
import dev.shelfmark.tool.failure.FileErrors;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.Brokers;
import dev.shelfmark.tool.kafka.MetadataReader;
import dev.shelfmark.tool.kafka.MetadataTopic;
import dev.shelfmark.tool.migrate.exporting.CatalogueExport;
import dev.shelfmark.tool.migrate.exporting.CatalogueExport.Known;
import dev.shelfmark.tool.migrate.exporting.CatalogueExport.Pass;
import dev.shelfmark.tool.migrate.exporting.CatalogueSnapshot;
import dev.shelfmark.tool.migrate.exporting.EventSink;
import dev.shelfmark.tool.migrate.exporting.FileSink;
import dev.shelfmark.tool.migrate.exporting.TopicSink;
import dev.shelfmark.tool.migrate.verify.Difference;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code shelfmark export}: the way back to Kafka's default. */
@Command(
        name = "export",
        description = {
            "Brings the topic __remote_log_metadata up to date with the catalogue, so that brokers can go back to Kafka's default"
                    + " metadata manager: writes the events that the topic lacks, and then asks Kafka's own cache of the topic and the"
                    + " catalogue every question on which they could differ. The catalogue is not changed.",
            "Running it again writes only what is missing by then; a run that was stopped or killed is finished by the next. While"
                    + " brokers write to the catalogue there is always something missing: the last run must come after they stopped.",
            "Exit code 1 when the topic does not yet say the same; the message tells why."
        },
        footer = {
            "",
            "Example: what is missing, then write it",
            "  shelfmark export --config owner.properties --bootstrap-server broker:9092 --dry-run",
            "  shelfmark export --config owner.properties --bootstrap-server broker:9092"
        })
public final class ExportCommand implements Callable<Integer> {

    private static final int MOST_PASSES = 4;

    @Mixin
    private final TargetOptions target = new TargetOptions();

    @Mixin
    private final BrokerOptions brokers = new BrokerOptions();

    @Option(names = "--dry-run", description = "Count what is missing in the topic; write nothing.")
    private boolean dryRun;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description =
                    "Write the missing events to FILE instead of the topic, a line of JSON each, with the record's value in"
                            + " Base64.")
    private @Nullable Path file;

    @Option(names = "--create-topic", description = "Create the topic if there is none, as Kafka's default would.")
    private boolean createTopic;

    @Option(
            names = "--topic-partitions",
            paramLabel = "N",
            defaultValue = "50",
            description = "With --create-topic: how many partitions; must be what the brokers will have as"
                    + " remote.log.metadata.topic.num.partitions. The default is ${DEFAULT-VALUE}.")
    private int topicPartitions = 50;

    @Option(
            names = "--topic-replication-factor",
            paramLabel = "N",
            defaultValue = "3",
            description = "With --create-topic: how many replicas. The default is ${DEFAULT-VALUE}.")
    private short topicReplicationFactor = 3;

    @Option(
            names = "--forget-unknown",
            description =
                    "Delete from the topic what only the topic has and was not imported. Without it such a segment ends the"
                            + " command: if brokers with Kafka's default wrote it meanwhile, its data would be lost to them.")
    private boolean forgetUnknown;

    @Option(
            names = "--output",
            paramLabel = "FORM",
            defaultValue = "table",
            description = "${COMPLETION-CANDIDATES}; the default is ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TABLE;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final ToolContext surroundings;
    private final Map<Difference.Kind, Long> differences = new EnumMap<>(Difference.Kind.class);
    private @Nullable Difference first;

    public ExportCommand(ToolContext surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (topicPartitions < 1) {
            throw ToolFailure.usage("--topic-partitions must be 1 or more");
        }
        if (topicReplicationFactor < 1) {
            throw ToolFailure.usage("--topic-replication-factor must be 1 or more");
        }
        PrintWriter err = spec.commandLine().getErr();
        Target catalogue = target.target(surroundings);
        if (file != null) {
            FileErrors.ensureWritable("--file", file);
        }
        ProgressDisplay progress = new ProgressDisplay(err, surroundings.terminal(), System::nanoTime);
        try (Brokers cluster = surroundings.brokers().connect(brokers.required());
                CatalogueListing listing = catalogue.listing();
                CatalogueStore store = catalogue.store();
                StoreAdministration administration = catalogue.administration();
                MetadataReader reader = cluster.reader()) {
            String id = cluster.clusterId();
            ensureTheCatalogueKnows(administration.cluster(id), id);
            topic(cluster);
            Known known = CatalogueSnapshot.of(listing, administration, cluster, id, forgetUnknown);
            Table passes = new Table("pass", "missingEvents", "partitions", "changedMeanwhile", "answersCompared");
            try (EventSink sink = sink(cluster)) {
                CatalogueExport export =
                        new CatalogueExport(store, id, known, sink, progress, surroundings.stopped(), this::found);
                Pass pass = passes(export, cluster, reader, passes, progress);
                if (sink instanceof FileSink lines) {
                    lines.complete();
                }
                return told(pass, passes, err);
            }
        } finally {
            progress.end();
        }
    }

    private static void ensureTheCatalogueKnows(Optional<ClusterRecord> found, String id) {
        ClusterRecord cluster = found.orElseThrow(() -> ToolFailure.refused(
                "the store knows no cluster " + id + ": there is nothing to export; check --config"));
        if (cluster.state().truth() != ClusterState.Truth.CATALOGUE) {
            throw ToolFailure.refused(
                    "cluster " + id + " is " + StateMeaning.name(cluster.state())
                            + ": its catalogue is not complete, so the topic says more than it; 'shelfmark state' tells how to go on");
        }
    }

    private MetadataTopic topic(Brokers cluster) {
        Optional<MetadataTopic> found = cluster.metadataTopic();
        if (found.isEmpty() && createTopic && !dryRun && file == null) {
            cluster.createMetadataTopic(topicPartitions, topicReplicationFactor);
            found = cluster.metadataTopic();
        }
        return TopicSink.writable(found.orElseThrow(() -> ToolFailure.refused("the cluster has no topic "
                + MetadataTopic.NAME + "; --create-topic makes one, or start a broker with Kafka's default once")));
    }

    private EventSink sink(Brokers cluster) {
        if (dryRun) {
            return new Discarded();
        }
        return file != null ? new FileSink(file) : new TopicSink(cluster.writer());
    }

    private Pass passes(
            CatalogueExport export, Brokers cluster, MetadataReader reader, Table passes, ProgressDisplay progress) {
        int most = dryRun || file != null ? 1 : MOST_PASSES;
        for (int number = 1; ; number++) {
            differences.clear();
            first = null;
            Pass pass = export.pass(topic(cluster), reader);
            passes.row(number, pass.events(), pass.partitions(), pass.moved(), pass.questions());
            if (pass.complete() || number == most) {
                return pass;
            }
            progress.line(pass.events() + " events written; reading the topic again to see that nothing is missing");
        }
    }

    private void found(Difference difference) {
        differences.merge(difference.kind(), 1L, Long::sum);
        if (first == null && !difference.kind().expected()) {
            first = difference;
        }
    }

    private int told(Pass last, Table passes, PrintWriter err) {
        output.print(passes, spec.commandLine().getOut());
        differences.forEach(
                (kind, count) -> err.println((kind.expected() ? "expected  " : "different ") + count + " x " + kind));
        Difference wrong = first;
        if (wrong != null) {
            err.println("the topic does not say what the catalogue says, such as " + wrong.question() + " of "
                    + wrong.topic() + "-" + wrong.partition() + ": Kafka " + wrong.kafka() + ", the catalogue "
                    + wrong.catalogue() + ". Stay with the catalogue and report this");
            return ExitCode.REFUSED.code();
        }
        if (dryRun) {
            err.println(last.events() + " events are missing in the topic; nothing was written");
        } else if (file != null) {
            err.println(last.events() + " missing events are in " + file);
        } else if (last.complete()) {
            err.println("the topic holds what the catalogue holds: " + last.partitions() + " partitions match ("
                    + last.questions() + " lookups compared)");
        } else {
            err.println("brokers go on writing to the catalogue, so the topic is not complete; run this again when they"
                    + " have stopped");
            return ExitCode.REFUSED.code();
        }
        return ExitCode.OK.code();
    }

    /** For a rehearsal. */
    private static final class Discarded implements EventSink {
        @Override
        public void write(int metadataPartition, org.apache.kafka.server.log.remote.storage.RemoteLogMetadata event) {}

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
