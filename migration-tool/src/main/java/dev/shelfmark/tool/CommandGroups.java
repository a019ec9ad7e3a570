package dev.shelfmark.tool;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The list of commands in {@code shelfmark --help}: a line each, grouped by what one wants to do. */
final class CommandGroups implements IHelpSectionRenderer {

    private static final int NAME_WIDTH = 16;

    /** The groups in order, each with its commands in the order in which one needs them. */
    static final Map<String, Map<String, String>> GROUPS = groups();

    private static Map<String, Map<String, String>> groups() {
        Map<String, Map<String, String>> groups = new LinkedHashMap<>();
        groups.put(
                "Set up",
                lines(
                        "plan", "Estimate rows, disk, connections and cost.",
                        "init", "Prepare the store and register a new cluster.",
                        "upgrade-schema", "Bring the schema up to this version.",
                        "state", "Show clusters and brokers, or change a cluster's state."));
        groups.put(
                "Migrate",
                lines(
                        "import", "Bring in what Kafka's metadata topic holds.",
                        "verify", "Compare the catalogue with Kafka's own cache.",
                        "cutover", "Make the catalogue the source of truth.",
                        "rollback", "Make Kafka's metadata topic the source of truth again.",
                        "export", "Bring Kafka's metadata topic up to date with the catalogue."));
        groups.put(
                "Audit",
                lines(
                        "topics", "List the topics with their segments and sizes.",
                        "partitions", "List the partitions.",
                        "segments", "List the segments and their objects.",
                        "history", "Show who changed which segment, and when.",
                        "lookup", "Show which segment answers for an offset or a timestamp, and why.",
                        "check", "Find anomalies in the catalogue.",
                        "orphans", "Compare the catalogue with the objects of the remote storage.",
                        "report", "Write one HTML page about everything."));
        groups.put("Mend", lines("rebuild", "Bring a lost or outdated catalogue back from the remote storage."));
        return groups;
    }

    private static Map<String, String> lines(String... namesAndLines) {
        Map<String, String> lines = new LinkedHashMap<>();
        for (int i = 0; i < namesAndLines.length; i += 2) {
            lines.put(namesAndLines[i], namesAndLines[i + 1]);
        }
        return lines;
    }

    /** Puts the groups in the place of picocli's own list. */
    static void show(CommandLine root) {
        root.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, new CommandGroups());
        root.setHelpSectionKeys(root.getHelpSectionKeys().stream()
                .filter(key -> !key.equals(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING))
                .toList());
    }

    @Override
    public String render(Help help) {
        StringBuilder text = new StringBuilder();
        GROUPS.forEach((group, commands) -> {
            text.append(System.lineSeparator()).append(group).append(':').append(System.lineSeparator());
            commands.forEach((name, line) -> text.append("  ")
                    .append(name)
                    .append(" ".repeat(NAME_WIDTH - name.length()))
                    .append(line)
                    .append(System.lineSeparator()));
        });
        return text.toString();
    }

    /** All commands that are listed. */
    static List<String> commands() {
        return GROUPS.values().stream()
                .flatMap(commands -> commands.keySet().stream())
                .toList();
    }
}
