package dev.shelfmark.tool.migrate;

import dev.shelfmark.tool.failure.ToolFailure;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine.Option;

/** The options of a switch between topic and catalogue. */
final class PauseOptions {

    @Option(
            names = "--deadline",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "Give up and go back when writes have waited for so long. Keep it below the brokers'"
                    + " rlmm.config.migration.write.wait.ms, past which writes fail. The default is ${DEFAULT-VALUE}.")
    private int deadlineSeconds = 60;

    @Option(
            names = "--absent",
            paramLabel = "ID",
            split = ",",
            description =
                    "Brokers that are registered but down and were never on the bridge: you vouch that they come back with the"
                            + " plugin, or never.")
    private Set<Integer> absent = new TreeSet<>();

    Duration deadline() {
        if (deadlineSeconds < 1) {
            throw ToolFailure.usage("--deadline must be 1 second at least");
        }
        return Duration.ofSeconds(deadlineSeconds);
    }

    Set<Integer> absent() {
        if (absent.stream().anyMatch(id -> id < 0)) {
            throw ToolFailure.usage("--absent names brokers, whose ids are 0 or more");
        }
        return absent;
    }
}
