package dev.shelfmark.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.failure.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** {@code docs/command.md} shows the help as it is; {@code -Dshelfmark.docs=write} brings it up to date. */
class CommandDocumentationTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "command.md");
    private static final String GENERATED = "<!-- From here on generated from the command's own help. -->\n";

    @Test
    void theHelpIsAsTheDocumentShowsIt() throws IOException {
        String document = Files.readString(DOCUMENT);
        String introduction = document.substring(0, document.indexOf(GENERATED) + GENERATED.length());
        String expected = introduction + generated();
        if ("write".equals(System.getProperty("shelfmark.docs"))) {
            Files.writeString(DOCUMENT, expected);
        }
        assertThat(Files.readString(DOCUMENT)).isEqualTo(expected);
    }

    @Test
    void everyExitCodeIsExplained() {
        List<Integer> codes =
                List.of(ExitCode.values()).stream().map(ExitCode::code).toList();
        assertThat(codes).doesNotHaveDuplicates();
        commands()
                .forEach((name, command) ->
                        assertThat(command.getUsageMessage(Ansi.OFF)).as(name).contains("Exit codes:", "Example"));
    }

    @Test
    void theHelpGroupsEveryCommandOnce() {
        CommandLine root = Objects.requireNonNull(commands().get("shelfmark"));
        assertThat(CommandGroups.commands())
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(root.getSubcommands().keySet());
        assertThat(root.getUsageMessage(Ansi.OFF)).contains("Set up:", "Migrate:", "Audit:", "Mend:");
    }

    private static Map<String, CommandLine> commands() {
        ToolContext nowhere = new ToolContext(
                List.of(),
                connection -> {
                    throw new IllegalStateException("the help asks no broker");
                },
                Clock.systemUTC(),
                Map.of(),
                "nobody",
                false,
                () -> false);
        PrintWriter nothing = new PrintWriter(Writer.nullWriter());
        CommandLine root = Shelfmark.commandLine(nowhere, nothing, nothing);
        Map<String, CommandLine> commands = new LinkedHashMap<>();
        collect(root, commands);
        return commands;
    }

    private static void collect(CommandLine command, Map<String, CommandLine> into) {
        into.put(command.getCommandSpec().qualifiedName(), command);
        command.getSubcommands().values().forEach(sub -> collect(sub, into));
    }

    private static String generated() {
        StringBuilder text = new StringBuilder("\n## Exit codes\n\n| code | meaning |\n|---|---|\n");
        for (ExitCode exitCode : ExitCode.values()) {
            text.append("| ")
                    .append(exitCode.code())
                    .append(" | ")
                    .append(exitCode.meaning())
                    .append(" |\n");
        }
        commands().forEach((name, command) -> {
            command.setUsageHelpAutoWidth(false);
            text.append("\n## `").append(name).append("`\n\n```text\n");
            text.append(withoutExitCodes(command)).append("```\n");
        });
        return text.toString();
    }

    /** They stand once, in the table. */
    private static String withoutExitCodes(CommandLine command) {
        command.getCommandSpec().usageMessage().exitCodeListHeading("").exitCodeList(Map.of());
        return command.getUsageMessage(Ansi.OFF);
    }
}
