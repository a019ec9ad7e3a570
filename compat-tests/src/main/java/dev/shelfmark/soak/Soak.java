package dev.shelfmark.soak;

import dev.shelfmark.soak.record.Plant;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bin/soak}. */
@Command(
        name = "bin/soak",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        description = {
            "Runs three Kafka brokers with Shelfmark under load and faults, and checks that every promise holds.",
            "Ends with 0 when all held, with 1 when one was broken."
        })
public final class Soak implements Callable<Integer> {

    @Option(names = "--minutes", defaultValue = "10", description = "How long faults go on. Default: ${DEFAULT-VALUE}")
    private double minutes;

    @Option(names = "--seed", description = "The seed of a run to repeat. Default: a random one, which is printed")
    private @Nullable Long seed;

    @Option(
            names = "--store",
            defaultValue = "postgres",
            description = "postgres or dynamodb. Default: ${DEFAULT-VALUE}")
    private String store = "postgres";

    @Option(
            names = "--plant",
            defaultValue = "none",
            description =
                    "Breaks a rule on purpose, to see the checker find it: empty-when-unreachable or ignore-version. Default: ${DEFAULT-VALUE}")
    private String plant = "none";

    private Soak() {}

    /** Runs the command and exits. */
    public static void main(String[] args) {
        int exit = new CommandLine(new Soak()).execute(args);
        Runtime.getRuntime().exit(exit);
    }

    @Override
    public Integer call() {
        List<String> broken = SoakRun.run(
                !store.equals("dynamodb"),
                Duration.ofMillis((long) (minutes * 60_000)),
                seed != null ? seed : ThreadLocalRandom.current().nextLong(1_000_000),
                Plant.valueOf(plant.toUpperCase(Locale.ROOT).replace('-', '_')),
                System.out);
        System.out.println(broken.isEmpty() ? "Every promise held." : broken.size() + " promises were broken:");
        broken.forEach(System.out::println);
        return broken.isEmpty() ? 0 : 1;
    }
}
