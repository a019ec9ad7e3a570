package dev.shelfmark.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The results as a table of a page. */
final class MatrixTable {

    private static final String BEGIN = "<!-- Written by bin/matrix. -->\n";
    private static final String END = "<!-- End of what bin/matrix writes. -->\n";

    private MatrixTable() {}

    static String of(List<CellResult> results) {
        StringBuilder text = new StringBuilder("| Kafka | JDK | plugin | roles |");
        for (Step step : Step.values()) {
            text.append(' ').append(step.title()).append(" |");
        }
        text.append("\n|---|---|---|---|")
                .append("---|".repeat(Step.values().length))
                .append('\n');
        List<String> notes = new ArrayList<>();
        for (CellResult result : results) {
            Cell cell = result.cell();
            text.append("| ").append(cell.kafkaText());
            text.append(" | ").append(cell.jdk());
            text.append(" | ").append(cell.loading().name().toLowerCase(Locale.ROOT));
            text.append(" | ")
                    .append(cell.roles().name().toLowerCase(Locale.ROOT))
                    .append(" |");
            for (Step step : Step.values()) {
                text.append(' ').append(mark(result, step)).append(" |");
            }
            text.append('\n');
            if (result.failed() != null) {
                notes.add("Kafka " + cell.kafkaText() + " on JDK " + cell.jdk() + ", "
                        + result.failed().title() + ": " + result.failure());
            }
        }
        if (!notes.isEmpty()) {
            text.append('\n');
            notes.forEach(note -> text.append("- ").append(note).append('\n'));
        }
        return text.toString();
    }

    private static String mark(CellResult result, Step step) {
        if (result.done().contains(step)) {
            return "yes";
        }
        return step == result.failed() ? "**no**" : "";
    }

    /** Replaces the table in a page. */
    static void write(Path page, List<CellResult> results) throws IOException {
        String text = Files.readString(page);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(
                    page + " has no place for the table: '" + BEGIN.strip() + "' and '" + END.strip() + "'");
        }
        Files.writeString(page, text.substring(0, begin) + BEGIN + "\n" + of(results) + "\n" + text.substring(end));
    }
}
