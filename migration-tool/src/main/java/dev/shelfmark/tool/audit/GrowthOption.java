package dev.shelfmark.tool.audit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import picocli.CommandLine.Option;

/** What counts as growth. */
final class GrowthOption {

    @Option(
            names = "--growth",
            paramLabel = "AGE",
            defaultValue = "24h",
            description =
                    "What was uploaded within AGE counts as growth, such as 6h or 7d. The default is ${DEFAULT-VALUE}.")
    private Duration growth = Duration.ofDays(1);

    Instant since(Clock clock) {
        return clock.instant().minus(growth);
    }
}
