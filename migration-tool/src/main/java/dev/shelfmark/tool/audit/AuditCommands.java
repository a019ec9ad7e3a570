package dev.shelfmark.tool.audit;

import dev.shelfmark.tool.console.Durations;
import dev.shelfmark.tool.console.ToolContext;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine;

/** The audit's commands, and how they read durations and moments. */
public final class AuditCommands {

    private AuditCommands() {}

    /** One object for each command. */
    public static List<Object> of(ToolContext surroundings) {
        return List.of(
                new TopicsCommand(surroundings),
                new PartitionsCommand(surroundings),
                new SegmentsCommand(surroundings),
                new HistoryCommand(surroundings),
                new LookupCommand(surroundings),
                new CheckCommand(surroundings),
                new OrphansCommand(surroundings),
                new ReportCommand(surroundings));
    }

    /** Lets a command line read the types of these commands' options. */
    public static void registerConverters(CommandLine commandLine, Clock clock) {
        commandLine
                .registerConverter(Duration.class, new Durations.AgeConverter())
                .registerConverter(Instant.class, new Durations.MomentConverter(clock));
    }
}
