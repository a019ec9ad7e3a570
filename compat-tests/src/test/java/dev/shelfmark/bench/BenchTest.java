package dev.shelfmark.bench;

import static org.assertj.core.api.Assertions.assertThat;

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
        assertThat(rows).hasSizeGreaterThan(60);
        allMeasured(rows);
        countedBoundsHold(rows);
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
