package dev.shelfmark.tool.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.tool.audit.check.AnomalyKind;
import dev.shelfmark.tool.audit.orphans.OrphanKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code docs/audit.md} explains the anomalies as the command does; {@code -Dshelfmark.docs=write} brings it up to date. */
final class AuditDocumentationTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "audit.md");

    @Test
    void theAnomaliesAreAsTheCommandExplainsThem() throws IOException {
        StringBuilder table = new StringBuilder("| kind | what it is | what to do |\n|---|---|---|\n");
        for (AnomalyKind kind : AnomalyKind.values()) {
            table.append("| `").append(kind).append("` | ").append(kind.meaning());
            table.append(" | ").append(kind.advice()).append(" |\n");
        }
        isDocumented("anomalies", table);
    }

    @Test
    void theOrphansAreAsTheCommandExplainsThem() throws IOException {
        StringBuilder table = new StringBuilder("| kind | what it is | what follows |\n|---|---|---|\n");
        for (OrphanKind kind : OrphanKind.values()) {
            table.append("| `").append(kind).append("` | ").append(kind.meaning());
            table.append(" | ").append(kind.advice()).append(" |\n");
        }
        isDocumented("orphans", table);
    }

    private static void isDocumented(String what, CharSequence table) throws IOException {
        String document = Files.readString(DOCUMENT);
        String begin = "<!-- " + what + ": generated -->\n";
        String expected = document.substring(0, document.indexOf(begin) + begin.length())
                + table
                + document.substring(document.indexOf("<!-- end of " + what + " -->\n"));
        if ("write".equals(System.getProperty("shelfmark.docs"))) {
            Files.writeString(DOCUMENT, expected);
        }
        assertThat(Files.readString(DOCUMENT)).isEqualTo(expected);
    }
}
