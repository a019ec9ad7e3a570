package dev.shelfmark.bench;

import dev.shelfmark.tool.console.Table;
import java.util.List;

/** The rows as a table for people and scripts. */
final class Report {

    private Report() {}

    static Table table(List<Row> rows) {
        Table table = new Table(
                "name",
                "unit",
                "against",
                "reference",
                "shelfmark",
                "ratio",
                "bound",
                "holds",
                "referenceSpread",
                "shelfmarkSpread",
                "note");
        rows.forEach(row -> table.row(row.cells()));
        return table;
    }
}
