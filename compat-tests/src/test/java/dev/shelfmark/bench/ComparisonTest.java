package dev.shelfmark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ComparisonTest {

    private final Samples samples = new Samples();

    private Row row(String name) {
        return Comparison.of(samples).stream()
                .filter(row -> row.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void sample(String key, double... values) {
        for (double value : values) {
            samples.add(key, value);
        }
    }

    @Test
    void medians_are_compared_and_a_bound_on_their_ratio_holds_or_not() {
        sample("kafka.start.first", 9_000, 15_000, 21_000);
        sample("shelfmark.start.first", 900, 400, 500);
        assertThat(row("start to the first right lookup").ratio()).isEqualTo(1.0 / 30);
        assertThat(row("start to the first right lookup").holds()).isTrue();

        sample("shelfmark.start.first", 600, 700);
        assertThat(row("start to the first right lookup").ratio()).isEqualTo(0.04);
        assertThat(row("start to the first right lookup").holds()).isFalse();
    }

    @Test
    void a_bound_on_the_value_holds_or_not_whatever_the_reference() {
        sample("shelfmark.uncached.p99", 1_999);
        assertThat(row("lookup outside the cache, one large partition, p99").holds())
                .isTrue();

        samples.add("shelfmark.uncached.p99", 3_000);
        assertThat(row("lookup outside the cache, one large partition, p99").holds())
                .isFalse();
    }

    @Test
    void more_is_better_where_a_rate_is_bounded_from_below() {
        sample("shelfmark.bare.4.rate", 1_000);
        sample("shelfmark.write.4.rate", 499);
        assertThat(Comparison.of(samples))
                .filteredOn(row -> row.bound() != null)
                .extracting(Row::holds)
                .containsExactly(false);
    }

    @Test
    void sizes_are_held_against_all_that_was_asked_for() {
        sample("all.start.first", 800);
        sample("tenth.start.first", 790);
        sample("tenfold.start.first", 1_001);
        sample("scattered.start.first", 500);
        assertThat(row("start to the first right lookup, a tenth of the segments")
                        .holds())
                .isTrue();
        assertThat(row("start to the first right lookup, ten times the segments")
                        .ratio())
                .isEqualTo(1.25125);
        assertThat(row("start to the first right lookup, ten times the segments")
                        .holds())
                .isFalse();
        assertThat(row("start to the first right lookup, ten times the partitions")
                        .reference())
                .containsExactly(790.0);
    }

    @Test
    void what_an_operation_asks_of_the_store_must_not_grow_with_the_segments() {
        sample("tenth.costs.COPY_FINISHED.requests", 1);
        sample("all.costs.COPY_FINISHED.requests", 1);
        sample("tenfold.costs.COPY_FINISHED.requests", 2);
        assertThat(row("report of an upload's end: statements").holds()).isTrue();
        assertThat(row("report of an upload's end: statements, ten times the segments")
                        .holds())
                .isFalse();

        sample("dynamodb.tenth.costs.LOOKUP.read-units", 3);
        sample("dynamodb.all.costs.LOOKUP.read-units", 4);
        assertThat(row("DynamoDB, lookup outside the cache: read units").holds())
                .isFalse();
    }

    @Test
    void a_list_is_told_for_each_of_its_segments_and_not_bounded() {
        sample("tenth.costs.LIST.requests", 0.01);
        sample("all.costs.LIST.requests", 0.001);
        assertThat(row("list outside the cache, for each segment: statements").bound())
                .isNull();
    }

    @Test
    void what_was_not_measured_has_no_row() {
        assertThat(Comparison.of(samples)).isEmpty();
    }

    @Test
    void a_row_shows_medians_ratio_bound_and_spread() {
        Row row = new Row("x", "ms", "y", List.of(10.0, 30.0, 20.0), List.of(5.0), Bound.ratioAtMost(0.2), "");
        assertThat(Report.table(List.of(row)).objects().get(0))
                .containsEntry("name", "x")
                .containsEntry("ratio", new java.math.BigDecimal("0.25"))
                .containsEntry("bound", "ratio <= 0.200")
                .containsEntry("holds", false)
                .containsEntry("referenceSpread", "10..30");
    }
}
