package dev.shelfmark.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.audit.check.AnomalyKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** {@code docs/audit.md} explains the anomalies as the command does; {@code -Dshelfmark.docs=write} brings it up to date. */
final class AuditDocumentationTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "audit.md");
    private static final String BEGIN = "<!-- anomalies: generated -->\n";
    private static final String END = "<!-- end of anomalies -->\n";

    @Test
    void theAnomaliesAreAsTheCommandExplainsThem() throws IOException {
        String document = Files.readString(DOCUMENT);
        StringBuilder table = new StringBuilder("| kind | what it is | what to do |\n|---|---|---|\n");
        for (AnomalyKind kind : AnomalyKind.values()) {
            table.append("| `").append(kind).append("` | ").append(kind.meaning());
            table.append(" | ").append(kind.advice()).append(" |\n");
        }
        String expected = document.substring(0, document.indexOf(BEGIN) + BEGIN.length())
                + table
                + document.substring(document.indexOf(END));
        if ("write".equals(System.getProperty("shelfmark.docs"))) {
            Files.writeString(DOCUMENT, expected);
        }
        assertThat(Files.readString(DOCUMENT)).isEqualTo(expected);
    }
}
