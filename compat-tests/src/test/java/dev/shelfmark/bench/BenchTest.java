package dev.shelfmark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.compat.SkippedBackEnds;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The short form of {@code bin/bench} runs through, with every answer checked by the bench itself. No time is judged here; what is counted
 * is.
 */
final class BenchTest {

    private final Samples samples = new Samples();
    private final Progress progress = new Progress(System.err);

    @Test
    void every_row_is_measured_and_the_counted_bounds_hold() {
        try (Measurements measurements = new Measurements(Plan.quick(), progress, samples)) {
            measurements.run();
        }
        List<Row> rows = Comparison.of(samples);
        assertThat(rows).hasSizeGreaterThan(120);
        allMeasured(rows);
        countedBoundsHold(rows);
        // Of a start, and of a report: the same at a tenth of the segments, at all of them, at ten times as many.
        for (String operation : List.of("start to the first right lookup", "report of an upload's end")) {
            for (String what : List.of("statements", "rows", "bytes on the wire")) {
                for (String size : List.of("", ", ten times the segments")) {
                    assertThat(rows).extracting(Row::name).contains(operation + ": " + what + size);
                }
            }
        }
    }

    @Test
    void what_is_asked_of_DynamoDB_is_counted_and_flat() {
        SkippedBackEnds.abortIfNamed("dynamodb");
        DynamoDbCosts.measure(progress, samples);
        List<Row> rows = Comparison.of(samples);
        assertThat(rows)
                .extracting(Row::name)
                .contains(
                        "DynamoDB, lookup outside the cache: requests",
                        "DynamoDB, lookup outside the cache: read units",
                        "DynamoDB, report of an upload's end: items",
                        "DynamoDB, report of an upload's end: write units");
        allMeasured(rows);
        assertThat(rows).filteredOn(row -> row.bound() != null).isNotEmpty().allMatch(Row::holds);
    }

    private static void allMeasured(List<Row> rows) {
        assertThat(rows)
                .allSatisfy(row -> assertThat(row.shelfmark())
                        .as(row.name())
                        .isNotEmpty()
                        .allSatisfy(value -> assertThat(value).isFinite()));
    }

    private static void countedBoundsHold(List<Row> rows) {
        assertThat(rows.stream()
                        .filter(row -> row.bound() != null && row.unit().equals("count"))
                        .collect(Collectors.toMap(Row::name, Row::holds)))
                .isNotEmpty()
                .doesNotContainValue(false);
    }
}
