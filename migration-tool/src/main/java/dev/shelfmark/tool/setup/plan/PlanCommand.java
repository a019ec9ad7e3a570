package dev.shelfmark.tool.setup.plan;

import dev.shelfmark.tool.console.OutputOption;
import dev.shelfmark.tool.console.RowWriter;
import dev.shelfmark.tool.failure.ExitCode;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code shelfmark plan}: a calculator. */
@Command(
        name = "plan",
        description = {
            "Estimates what the catalogue of a cluster needs: segments, rows, disk, connections, heap, and the cost on DynamoDB.",
            "Calculates with the sizes that docs/performance.md has measured and list prices; docs/capacity.md explains it. Asks"
                    + " neither a store nor a broker."
        },
        footer = {
            "",
            "Example: 6 brokers, 2,000 partitions, 500 MB a second, kept for 30 days",
            "  shelfmark plan --brokers 6 --partitions 2000 --write-rate 500MB --retention 30d"
        })
public final class PlanCommand implements Callable<Integer> {

    @Option(names = "--brokers", required = true, paramLabel = "N", description = "How many brokers the cluster has.")
    private int brokers;

    @Option(
            names = "--partitions",
            required = true,
            paramLabel = "N",
            description = "How many partitions are tiered, without their replicas.")
    private long partitions;

    @Option(
            names = "--write-rate",
            required = true,
            paramLabel = "BYTES",
            converter = ByteCount.class,
            description = "What producers write to these partitions in a second, compressed: such as 500MB or 1GiB.")
    private double writeRate;

    @Option(
            names = "--retention",
            required = true,
            paramLabel = "AGE",
            description = "How long their records are kept.")
    private Duration retention = Duration.ofDays(7);

    @Option(
            names = "--segment-bytes",
            paramLabel = "BYTES",
            defaultValue = "1GiB",
            converter = ByteCount.class,
            description = "The topics' segment.bytes. The default is ${DEFAULT-VALUE}.")
    private double segmentBytes = 1 << 30;

    @Option(
            names = "--segment-age",
            paramLabel = "AGE",
            defaultValue = "7d",
            description =
                    "The topics' segment.ms, at which a segment is rolled however small. The default is ${DEFAULT-VALUE}.")
    private Duration segmentAge = Duration.ofDays(7);

    @Option(
            names = "--replicas",
            paramLabel = "N",
            defaultValue = "3",
            description = "Replicas of a partition. The default is ${DEFAULT-VALUE}.")
    private int replicas = 3;

    @Option(
            names = "--deleted-kept",
            paramLabel = "AGE",
            defaultValue = "7d",
            description = "deleted.segments.retention.ms. The default is ${DEFAULT-VALUE}.")
    private Duration deletedKept = Duration.ofDays(7);

    @Option(
            names = "--history-kept",
            paramLabel = "AGE",
            defaultValue = "7d",
            description = "history.retention.ms; 0s for none. The default is ${DEFAULT-VALUE}.")
    private Duration historyKept = Duration.ofDays(7);

    @Option(
            names = "--pool-size",
            paramLabel = "N",
            defaultValue = "10",
            description = "jdbc.pool.max.size of each broker. The default is ${DEFAULT-VALUE}.")
    private int poolSize = 10;

    @Mixin
    private final OutputOption output = new OutputOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        Workload workload = new Workload(
                brokers,
                partitions,
                replicas,
                writeRate,
                (long) segmentBytes,
                segmentAge,
                retention,
                deletedKept,
                historyKept,
                poolSize);
        try (RowWriter rows =
                new RowWriter(output.format(), spec.commandLine().getOut(), "for", "what", "value", "unit")) {
            for (Estimate estimate : Estimate.of(workload)) {
                rows.row(estimate.scope(), estimate.what(), rounded(estimate.value()), estimate.unit());
            }
            rows.complete();
        }
        return ExitCode.OK.code();
    }

    /** Up to two decimals below 100, none above: nothing here is known better. */
    private static Number rounded(double value) {
        if (value >= 100 || value == Math.rint(value)) {
            return Math.round(value);
        }
        return Double.valueOf(String.format(Locale.ROOT, "%.2f", value));
    }
}
