package dev.shelfmark.tool.audit;

import static dev.shelfmark.store.SegmentState.COPY_SEGMENT_FINISHED;
import static dev.shelfmark.store.SegmentState.COPY_SEGMENT_STARTED;
import static dev.shelfmark.store.SegmentState.DELETE_SEGMENT_FINISHED;
import static dev.shelfmark.store.SegmentState.DELETE_SEGMENT_STARTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.tool.Shell;
import dev.shelfmark.tool.Shell.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where health ends and an anomaly begins: the last offset, the last minute, the one condition that makes the difference. */
final class CheckBoundariesTest {

    private static final Duration MONTH = Duration.ofDays(30);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Shell shell;
    private final AuditFixture shelf;

    CheckBoundariesTest(@TempDir Path directory) throws IOException {
        shell = new Shell(directory);
        shell.registered();
        shelf = AuditFixture.of(shell.store(), "orders", 0);
    }

    private List<String> check(String... more) {
        Result result = shell.runConfigured(Stream.concat(Stream.of("check", "--output", "csv"), Stream.of(more))
                .toArray(String[]::new));
        List<String> rows = result.out().lines().skip(1).toList();
        assertThat(result.exit()).as(result.err()).isEqualTo(rows.isEmpty() ? 0 : 1);
        return rows;
    }

    private List<String> kinds(String... more) {
        return check(more).stream()
                .map(row -> row.substring(0, row.indexOf(',')))
                .toList();
    }

    private static SegmentRecord upload(long start, long end, Duration ago) {
        return AuditFixture.segment(COPY_SEGMENT_STARTED, start, end, Map.of(1, start), ago);
    }

    private static SegmentRecord deleted(long start, long end, Duration ago) {
        return AuditFixture.segment(DELETE_SEGMENT_FINISHED, start, end, Map.of(1, start), ago);
    }

    private static SegmentRecord finished(long start, long end, Duration ago) {
        return AuditFixture.segment(COPY_SEGMENT_FINISHED, start, end, Map.of(1, start), ago);
    }

    @Test
    void aGapOfOneOffset() {
        shelf.put(AuditFixture.finished(1, 0, 9), AuditFixture.finished(1, 11, 19));
        assertThat(check()).singleElement().asString().startsWith("GAP,").contains(",10,10,1,");
    }

    @Test
    void aGapIsNotExplainedByWhatWasDeletedLongAgo() {
        shelf.put(
                deleted(10, 19, Duration.ofDays(5)), AuditFixture.finished(1, 0, 9), AuditFixture.finished(1, 20, 29));
        assertThat(kinds()).containsExactly("GAP");
    }

    @Test
    void aGapIsNotExplainedByAnUploadThatBeganLongAgo() {
        shelf.put(upload(10, 19, MONTH), AuditFixture.finished(1, 0, 9), AuditFixture.finished(1, 20, 29));
        assertThat(kinds()).containsExactlyInAnyOrder("GAP", "DANGLING_COPY");
    }

    @Test
    void workInFlightExplainsTheGapThatItTouches() {
        shelf.put(
                AuditFixture.finished(1, 0, 9),
                AuditFixture.finished(1, 20, 29),
                upload(0, 9, MINUTE),
                deleted(20, 29, MINUTE));
        assertThat(kinds()).as("beside it").containsExactly("GAP");
        shelf.put(upload(19, 25, MINUTE));
        assertThat(kinds()).as("by its last offset").isEmpty();
    }

    @Test
    void workInFlightThatEndsWhereTheGapBegins() {
        shelf.put(AuditFixture.finished(1, 0, 9), AuditFixture.finished(1, 20, 29), deleted(5, 10, MINUTE));
        assertThat(kinds()).isEmpty();
    }

    @Test
    void aDeletionUnderWayIsNoReadableSegment() {
        shelf.put(
                AuditFixture.finished(1, 0, 9),
                AuditFixture.segment(DELETE_SEGMENT_STARTED, 10, 19, Map.of(1, 10L), MONTH),
                AuditFixture.finished(1, 20, 29));
        assertThat(kinds()).containsExactlyInAnyOrder("GAP", "DANGLING_DELETE");
    }

    @Test
    void aSegmentWithinAnotherMakesNoGap() {
        shelf.put(finished(10, 19, MINUTE), AuditFixture.finished(1, 0, 29), AuditFixture.finished(1, 30, 39));
        assertThat(kinds()).isEmpty();
    }

    @Test
    void anOverlapOfOneOffset() {
        shelf.put(AuditFixture.finished(1, 0, 10), AuditFixture.finished(1, 10, 19));
        assertThat(check()).singleElement().asString().startsWith("OVERLAP,").contains(",10,10,");
    }

    @Test
    void anOverlapWithASegmentOfOneOffset() {
        SegmentRecord listedFirst = AuditFixture.finished(1, 10, 19);
        SegmentRecord finishedFirst = AuditFixture.finished(1, 10, 10);
        shelf.put(finishedFirst, listedFirst);
        assertThat(kinds()).containsExactly("SUPERSEDED");
    }

    @Test
    void rangesOfAnEpochThatMeetDoNotOverlap() {
        shelf.put(
                AuditFixture.segment(COPY_SEGMENT_FINISHED, 0, 14, Map.of(1, 0L, 2, 5L), MONTH),
                AuditFixture.finished(1, 5, 9));
        assertThat(kinds()).isEmpty();
    }

    @Test
    void whatIsBeingDeletedOverlapsNothing() {
        shelf.put(
                AuditFixture.finished(1, 0, 9),
                AuditFixture.segment(DELETE_SEGMENT_STARTED, 5, 14, Map.of(1, 5L), MINUTE));
        assertThat(kinds()).isEmpty();
    }

    @Test
    void ofAnOverlapTheOneFinishedLaterIsNamed() {
        SegmentRecord first = AuditFixture.finished(1, 5, 14);
        SegmentRecord second = AuditFixture.finished(1, 0, 9);
        shelf.put(first, second);
        assertThat(check())
                .singleElement()
                .asString()
                .contains("," + TextualId.of(second.segmentId()) + ",")
                .contains("overlaps segment " + TextualId.of(first.segmentId()));
    }

    @Test
    void supersededIsOnlyWhatIsHeldInEveryEpoch() {
        SegmentRecord twoEpochs = AuditFixture.segment(COPY_SEGMENT_FINISHED, 5, 14, Map.of(1, 5L, 2, 10L), MONTH);
        shelf.put(twoEpochs, AuditFixture.finished(1, 0, 9));
        assertThat(kinds()).containsExactly("OVERLAP");
    }

    @Test
    void supersededIsOnlyWhatTheLaterOneHolds() {
        shelf.put(AuditFixture.finished(1, 0, 19), AuditFixture.finished(1, 5, 19));
        assertThat(kinds()).doesNotContain("SUPERSEDED");
    }

    @Test
    void brokersHaveTimeToDeleteWhatIsSuperseded() {
        SegmentRecord justOver = finished(0, 9, Duration.ofDays(7).plusHours(5));
        shelf.put(justOver, AuditFixture.finished(1, 0, 19));
        assertThat(kinds()).isEmpty();
        assertThat(kinds("--age", "4h")).containsExactly("SUPERSEDED");
    }

    @Test
    void whatWasChangedJustNowIsNotSuperseded() {
        SegmentRecord old = AuditFixture.finished(1, 0, 9);
        SegmentRecord again = old.toBuilder()
                .txnIndexEmpty(true)
                .customMetadata(null)
                .eventTimestampMs(Shell.NOW.minus(MINUTE).toEpochMilli())
                .version(0)
                .finishedVersion(0)
                .build();
        shelf.put(again, AuditFixture.finished(1, 0, 19));
        assertThat(kinds()).isEmpty();
    }

    @Test
    void retentionIsTheTopicsOwn() {
        shelf.put(finished(0, 9, Duration.ofDays(1)), AuditFixture.finished(1, 0, 19));
        shell.topic(shelf.key().topicId(), "orders", Duration.ofHours(1).toMillis());
        assertThat(kinds()).as("seven days").isEmpty();
        assertThat(kinds("--bootstrap-server", "here:1")).as("an hour").containsExactly("SUPERSEDED");
        shell.topic(shelf.key().topicId(), "orders", -1);
        assertThat(kinds("--bootstrap-server", "here:1", "--retention", "1h"))
                .as("for ever")
                .isEmpty();
    }

    @Test
    void topicsOfOtherClustersAreNobodysBusiness() {
        shell.topic(shelf.key().topicId(), "orders", -1);
        shelf.put(AuditFixture.finished(1, 0, 9));
        shell.cluster(new ClusterRecord("other", ClusterState.READY, 1, Shell.NOW, "bob", ""));
        new AuditFixture(shell.store(), new PartitionKey("other", UUID.randomUUID(), 0), "elsewhere")
                .put(AuditFixture.finished(1, 0, 9));
        assertThat(kinds("--bootstrap-server", "here:1")).isEmpty();
    }

    @Test
    void whatIsOldAndUnreadableAtTheSamePlaceAsSomethingReadable() {
        shelf.put(
                AuditFixture.segment(DELETE_SEGMENT_STARTED, 0, 9, Map.of(1, 0L), MONTH),
                AuditFixture.finished(1, 0, 9),
                AuditFixture.finished(1, 10, 19));
        assertThat(kinds()).containsExactly("DANGLING_DELETE");
    }

    @Test
    void aPartitionWithNothingReadableHasNoLogStart() {
        shelf.put(upload(0, 9, MONTH), upload(10, 19, MONTH));
        assertThat(kinds()).containsExactly("DANGLING_COPY", "DANGLING_COPY");
    }

    @Test
    void epochsThatBeginElsewhereThanTheSegment() {
        shelf.put(AuditFixture.segment(COPY_SEGMENT_FINISHED, 0, 9, Map.of(1, 1L), MONTH));
        assertThat(kinds()).containsExactly("EPOCHS_OUTSIDE_SEGMENT");
    }

    @Test
    void epochsThatGoBack() {
        shelf.put(AuditFixture.segment(COPY_SEGMENT_FINISHED, 0, 9, Map.of(1, 0L, 2, 6L, 3, 4L), MONTH));
        assertThat(kinds()).contains("EPOCHS_OUTSIDE_SEGMENT");
    }

    @Test
    void aHighestOffsetThatIsMissingOrLowerByOne() {
        commit(1, 1, Map.of(), at(1, AuditFixture.finished(1, 0, 9)));
        assertThat(check())
                .singleElement()
                .asString()
                .startsWith("HIGHEST_OFFSET_TOO_LOW,")
                .contains("none is kept");
        commit(2, 1, Map.of(1, 8L));
        assertThat(check())
                .singleElement()
                .asString()
                .startsWith("HIGHEST_OFFSET_TOO_LOW,")
                .contains("8 is kept");
        commit(3, 1, Map.of(1, 9L));
        assertThat(kinds()).isEmpty();
    }

    @Test
    void aHeadThatCountsTooFew() {
        commit(2, 1, Map.of(1, 19L), at(1, AuditFixture.finished(1, 0, 9)), at(2, AuditFixture.finished(1, 10, 19)));
        assertThat(check()).singleElement().asString().startsWith("HEAD_MISMATCH,");
    }

    @Test
    void aHeadThatIsOlderThanASegment() {
        commit(1, 1, Map.of(1, 9L), at(2, AuditFixture.finished(1, 0, 9)));
        assertThat(check())
                .singleElement()
                .asString()
                .startsWith("HEAD_MISMATCH,")
                .contains("version 1, one segment at 2");
    }

    @Test
    void aHeadThatIsOlderThanADeletedSegment() {
        commit(1, 0, Map.of(1, 9L), at(2, deleted(0, 9, MINUTE)));
        assertThat(check())
                .singleElement()
                .asString()
                .startsWith("HEAD_MISMATCH,")
                .contains("version 1, one segment at 2");
    }

    @Test
    void aTopicThatWasDeletedJustNow() {
        shell.topic(UUID.randomUUID(), "another", -1);
        shelf.put(AuditFixture.finished(1, 10, 19), deleted(0, 9, MINUTE));
        assertThat(kinds("--bootstrap-server", "here:1"))
                .as("its deletion goes on")
                .isEmpty();
    }

    private static SegmentRecord at(long version, SegmentRecord segment) {
        return segment.toBuilder()
                .txnIndexEmpty(true)
                .customMetadata(null)
                .version(version)
                .finishedVersion(version)
                .build();
    }

    private void commit(long version, long live, Map<Integer, Long> highest, SegmentRecord... segments) {
        shelf.commit(
                new PartitionHead(version, "orders", live, 9, PartitionDeletion.NONE, new TreeMap<>(highest)),
                segments);
    }
}
