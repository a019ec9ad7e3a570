package dev.shelfmark.jdbc.partition;

import dev.shelfmark.jdbc.partition.Columns.Column;
import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.SegmentRecord;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Segments as parameters, by the names that {@link CommitStatement} gives them. The arrays within a segment travel as literals: an array of arrays
 * would have to be rectangular, and would be flattened by {@code unnest}. Bytes travel in hexadecimal, for want of a way to bind
 * arrays of them.
 */
final class SegmentArrays {

    static final Columns<SegmentRecord> ALL = new Columns<>(List.of(
            new Column<>("segmentId", SegmentRecord::segmentId, UUID[]::new),
            new Column<>("startOffset", SegmentRecord::startOffset, Long[]::new),
            new Column<>("endOffset", SegmentRecord::endOffset, Long[]::new),
            new Column<>("maxTimestamp", SegmentRecord::maxTimestampMs, Long[]::new),
            new Column<>("eventTimestamp", SegmentRecord::eventTimestampMs, Long[]::new),
            new Column<>("segmentVersion", SegmentRecord::version, Long[]::new),
            new Column<>("finishedVersion", SegmentRecord::finishedVersion, Long[]::new),
            new Column<>("size", SegmentRecord::sizeInBytes, Integer[]::new),
            new Column<>("brokerId", SegmentRecord::brokerId, Integer[]::new),
            new Column<>("state", segment -> (int) segment.state().code(), Integer[]::new),
            new Column<>("live", segment -> segment.state().live(), Boolean[]::new),
            new Column<>("txnIndexEmpty", SegmentRecord::txnIndexEmpty, Boolean[]::new),
            new Column<>(
                    "leaderEpochs", segment -> literal(segment.leaderEpochs(), LeaderEpochs::epoch), String[]::new),
            new Column<>(
                    "epochStartOffsets",
                    segment -> literal(segment.leaderEpochs(), LeaderEpochs::startOffset),
                    String[]::new),
            new Column<>("customMetadata", SegmentArrays::hex, String[]::new)));

    /** Of a segment that is there, what may change. */
    static final Columns<SegmentRecord> UPDATED = ALL.only(
            "segmentId",
            "eventTimestamp",
            "segmentVersion",
            "finishedVersion",
            "brokerId",
            "state",
            "live",
            "customMetadata");

    private SegmentArrays() {}

    private static @Nullable String hex(SegmentRecord segment) {
        CustomMetadata customMetadata = segment.customMetadata();
        return customMetadata == null ? null : HexFormat.of().formatHex(customMetadata.bytes());
    }

    private interface Element {
        long at(LeaderEpochs leaderEpochs, int position);
    }

    private static String literal(LeaderEpochs leaderEpochs, Element element) {
        StringBuilder literal = new StringBuilder("{");
        for (int i = 0; i < leaderEpochs.size(); i++) {
            if (i > 0) {
                literal.append(',');
            }
            literal.append(element.at(leaderEpochs, i));
        }
        return literal.append('}').toString();
    }
}
