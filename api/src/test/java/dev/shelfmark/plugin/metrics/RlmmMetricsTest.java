package dev.shelfmark.plugin.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Metrics come into being in the middle of reads and writes. */
final class RlmmMetricsTest {

    private final RlmmMetrics metrics = new RlmmMetrics();

    /** As the broker's own metrics do once they are closed. */
    @Test
    void aPublisherThatTakesNoMoreFailsNobody() {
        List<String> taken = new ArrayList<>();
        metrics.publishTo((metric, gauge) -> {
            throw new IllegalStateException("closed");
        });
        metrics.publishTo((metric, gauge) -> taken.add(metric.name()));

        metrics.requested("commit", 1, 1);
        metrics.requested("commit", 1, 1);

        assertThat(taken).contains("store-requests-total", "store-rows-total").doesNotHaveDuplicates();
    }

    /** Nobody would take it back. */
    @Test
    void nothingIsPublishedAfterTheEnd() {
        List<String> taken = new ArrayList<>();
        metrics.publishTo((metric, gauge) -> taken.add(metric.name()));
        metrics.close();

        metrics.requested("commit", 1, 1);

        assertThat(taken).isEmpty();
    }

    /** As the operators' documentation lists them. */
    @Test
    void loadsOfPartitionsHaveNoTags() {
        List<RlmmMetrics.Metric> taken = new ArrayList<>();
        metrics.publishTo((metric, gauge) -> taken.add(metric));

        metrics.loaded(10, 1);

        assertThat(taken)
                .extracting(RlmmMetrics.Metric::name)
                .contains("partition-loads-total", "partition-load-latency-p99-ms", "loaded-segments-total");
        assertThat(taken).allSatisfy(metric -> assertThat(metric.tags()).isEmpty());
    }
}
