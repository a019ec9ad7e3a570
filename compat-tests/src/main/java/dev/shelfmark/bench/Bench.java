package dev.shelfmark.bench;

import dev.shelfmark.tool.console.OutputFormat;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command. Exit codes: 0 every bound holds, 1 one is broken, 2 something could not be measured. */
@Command(
        name = "bin/bench",
        mixinStandardHelpOptions = true,
        usageHelpWidth = 120,
        description = {
            "Builds the same catalogue in a real __remote_log_metadata topic and in a PostgreSQL server of its own, runs Kafka's"
                    + " default and Shelfmark in JVMs of their own in turn, checks every answer, and prints what each costs."
        },
        footer = {
            "",
            "Exit codes: 0 every bound holds, 1 a bound is broken, 2 something could not be measured.",
            "Example: a quick look, as JSON",
            "  bin/bench --quick --output json"
        })
public final class Bench implements Callable<Integer> {

    static final int BROKEN = 1;
    static final int NOT_MEASURED = 2;

    @Option(
            names = "--size",
            defaultValue = "1000000",
            description = "How many live segments, from 1000. Default: ${DEFAULT-VALUE}.")
    private int size;

    @Option(
            names = "--partitions",
            defaultValue = "1000",
            description = "Over how many partitions. Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(
            names = "--rounds",
            defaultValue = "3",
            description = "How often each side is measured, in turn. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--tenfold",
            description = "Also measures Shelfmark with ten times the segments, in a database of their own.")
    private boolean tenfold;

    @Option(
            names = "--no-dynamodb",
            description = "Leaves out what is counted on DynamoDB, for which Docker or npm is needed.")
    private boolean noDynamoDb;

    @Option(
            names = "--quick",
            description = "Only shows that everything runs: few segments, one round, no bound is judged.")
    private boolean quick;

    @Option(names = "--output", defaultValue = "table", description = "table, json or csv. Default: ${DEFAULT-VALUE}.")
    private OutputFormat output = OutputFormat.TABLE;

    private Bench() {}

    /** Runs the command and ends the JVM with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new Bench()).setCaseInsensitiveEnumValuesAllowed(true);
        line.setExecutionExceptionHandler((failure, command, parsed) -> {
            command.getErr().println("bench: error: " + failure.getMessage());
            failure.printStackTrace(command.getErr());
            return NOT_MEASURED;
        });
        return line;
    }

    @Override
    public Integer call() {
        Plan plan = quick ? Plan.quick() : new Plan(size, partitions, rounds, tenfold, true);
        Progress progress = new Progress(System.err);
        Samples samples = new Samples();
        if (!noDynamoDb) {
            DynamoDbCosts.measure(progress, samples);
        }
        try (Measurements measurements = new Measurements(plan, progress, samples)) {
            measurements.run();
        }
        List<Row> rows = Comparison.of(samples);
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        output.print(Report.table(rows), out);
        out.flush();
        return quick || rows.stream().allMatch(Row::holds) ? 0 : BROKEN;
    }
}
