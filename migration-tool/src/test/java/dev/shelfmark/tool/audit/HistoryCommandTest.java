package dev.shelfmark.tool.audit;

import static dev.shelfmark.store.SegmentState.COPY_SEGMENT_FINISHED;
import static dev.shelfmark.store.SegmentState.COPY_SEGMENT_STARTED;
import static dev.shelfmark.store.SegmentState.DELETE_SEGMENT_FINISHED;
import static dev.shelfmark.store.SegmentState.DELETE_SEGMENT_STARTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.catalogue.CatalogueListener;
import dev.shelfmark.catalogue.CatalogueSettings;
import dev.shelfmark.catalogue.SegmentCatalogue;
import dev.shelfmark.catalogue.rules.MetadataEvent;
import dev.shelfmark.catalogue.rules.MetadataEvent.AddSegment;
import dev.shelfmark.catalogue.rules.MetadataEvent.DeletePartition;
import dev.shelfmark.catalogue.rules.MetadataEvent.UpdateSegment;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.tool.Shell;
import dev.shelfmark.tool.Shell.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code history}. */
final class HistoryCommandTest {

    private static final String MOMENT = "2026-05-03T09:00:00Z";
    private static final long MOMENT_MS = Instant.parse(MOMENT).toEpochMilli();

    private final Shell shell;
    private final CatalogueStore store;
    private final PartitionKey orders = new PartitionKey(Shell.CLUSTER, new UUID(1, 2), 7);
    private final SegmentRecord first =
            AuditFixture.segment(COPY_SEGMENT_STARTED, 0, 99, Map.of(3, 0L), Duration.ofHours(1));
    private final SegmentRecord second =
            AuditFixture.segment(COPY_SEGMENT_STARTED, 100, 199, Map.of(3, 100L), Duration.ofHours(1));

    HistoryCommandTest(@TempDir Path directory) throws IOException {
        shell = new Shell(directory);
        store = shell.store();
    }

    @BeforeEach
    void register() {
        shell.registered();
    }

    private void report(PartitionKey key, String topic, MetadataEvent... events) {
        new SegmentCatalogue(store, CatalogueSettings.defaults(), CatalogueListener.NONE, Runnable::run)
                .write(key, topic, List.of(events), Deadline.in(Duration.ofSeconds(10)));
    }

    private void fill() {
        report(
                orders,
                "orders",
                new AddSegment(first),
                new UpdateSegment(first.segmentId(), COPY_SEGMENT_FINISHED, null, 2, MOMENT_MS),
                new AddSegment(second),
                new UpdateSegment(first.segmentId(), DELETE_SEGMENT_STARTED, null, -1, -1),
                new DeletePartition(PartitionDeletion.DELETE_PARTITION_MARKED, 4, MOMENT_MS));
        report(
                new PartitionKey(Shell.CLUSTER, new UUID(1, 3), 0),
                "payments",
                new AddSegment(AuditFixture.segment(COPY_SEGMENT_STARTED, 0, 9, Map.of(1, 0L), Duration.ofHours(1))));
    }

    private Result history(String... more) {
        String[] args = new String[more.length + 3];
        System.arraycopy(new String[] {"history", "--output", "csv"}, 0, args, 0, 3);
        System.arraycopy(more, 0, args, 3, more.length);
        return shell.runConfigured(args);
    }

    @Test
    void eachChangeWithWhoAndWhenAndFromWhatToWhat() {
        fill();
        Result result = history("--topic", "orders");
        assertThat(result.exit()).isZero();
        assertThat(result.out().lines().map(line -> line.replaceFirst("\\d{4}-[^,]*Z,", "RECORDED,")))
                .containsExactly(
                        "cluster,topic,topicId,partition,version,recordedAt,changedAt,brokerId,segmentId,startOffset,"
                                + "endOffset,from,to",
                        line(1, "2026-05-03T09:15:30Z,7," + id(first) + ",0,99,,COPY_SEGMENT_STARTED"),
                        line(2, MOMENT + ",2," + id(first) + ",0,99,COPY_SEGMENT_STARTED,COPY_SEGMENT_FINISHED"),
                        line(3, "2026-05-03T09:15:30Z,7," + id(second) + ",100,199,,COPY_SEGMENT_STARTED"),
                        line(4, ",," + id(first) + ",0,99,COPY_SEGMENT_FINISHED,DELETE_SEGMENT_STARTED"),
                        line(5, MOMENT + ",4,,,,,DELETE_PARTITION_MARKED"));
    }

    private String line(int version, String rest) {
        return Shell.CLUSTER + ",orders," + TextualId.of(orders.topicId()) + ",7," + version + ",RECORDED," + rest;
    }

    private static String id(SegmentRecord segment) {
        return TextualId.of(segment.segmentId());
    }

    @Test
    void ofOneSegment() {
        fill();
        assertThat(history("--segment", id(second)).out().lines().skip(1))
                .singleElement()
                .asString()
                .contains(id(second));
        assertThat(history("--segment", id(first)).out().lines().skip(1)).hasSize(3);
        Result wrong = history("--segment", "me");
        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(wrong.err()).contains("--segment: 'me' is not an id");
    }

    @Test
    void ofATime() throws InterruptedException {
        report(orders, "orders", new AddSegment(first));
        Thread.sleep(5);
        Instant between = Instant.now();
        Thread.sleep(5);
        report(orders, "orders", new AddSegment(second));
        assertThat(history("--since", between.toString()).out().lines().skip(1))
                .singleElement()
                .asString()
                .contains(id(second));
        assertThat(history("--until", between.toString()).out().lines().skip(1))
                .singleElement()
                .asString()
                .contains(id(first));
    }

    @Test
    void nothingKeptIsSaidInWords() {
        Result result = history();
        assertThat(result.exit()).isZero();
        assertThat(result.err()).contains("no such change is kept", "rlmm.config.history.retention.ms");
        fill();
        assertThat(history().err()).isEmpty();
        assertThat(history("--topic", "order").err()).contains("did you mean 'orders'?");
    }

    @Test
    void offsetsAreLeftOutWhenTheRecordIsGone() {
        fill();
        report(
                orders,
                "orders",
                new UpdateSegment(first.segmentId(), DELETE_SEGMENT_FINISHED, null, 2, MOMENT_MS),
                new UpdateSegment(second.segmentId(), COPY_SEGMENT_FINISHED, null, 2, MOMENT_MS));
        CatalogueStore purger = shell.store(Duration.ZERO);
        assertThat(purger.purgeDeleted(Shell.CLUSTER, 10)).isEqualTo(1);
        assertThat(history("--segment", id(first)).out().lines().skip(1))
                .hasSize(4)
                .allSatisfy(line -> assertThat(line).contains(id(first) + ",,,"));
    }

    @Test
    void aLongHistoryIsWhole() {
        for (int batch = 0; batch < 13; batch++) {
            report(
                    orders,
                    "orders",
                    IntStream.range(0, 100)
                            .mapToObj(i -> new AddSegment(AuditFixture.segment(
                                    COPY_SEGMENT_STARTED, i, i, Map.of(1, (long) i), Duration.ofHours(1))))
                            .toArray(MetadataEvent[]::new));
        }
        assertThat(history().out().lines().skip(1).map(line -> Integer.parseInt(line.split(",", 6)[4])))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, 1_300).boxed().toList());
    }
}
