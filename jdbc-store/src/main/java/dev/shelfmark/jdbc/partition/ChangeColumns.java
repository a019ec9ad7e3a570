package dev.shelfmark.jdbc.partition;

import dev.shelfmark.jdbc.partition.Columns.Column;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.StateChange;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** State changes as parameters, as {@link SegmentArrays} does it with segments. */
final class ChangeColumns {

    static final Columns<StateChange> ALL = new Columns<>(List.of(
            new Column<>("changeVersion", StateChange::version, Long[]::new),
            new Column<>("changeTimestamp", StateChange::eventTimestampMs, Long[]::new),
            new Column<>("changeSegment", ChangeColumns::segmentId, UUID[]::new),
            new Column<>("changeBroker", StateChange::brokerId, Integer[]::new),
            new Column<>("changeFrom", ChangeColumns::from, Integer[]::new),
            new Column<>("changeTo", ChangeColumns::to, Integer[]::new)));

    private ChangeColumns() {}

    private static @Nullable UUID segmentId(StateChange change) {
        return change instanceof StateChange.OfSegment segment ? segment.segmentId() : null;
    }

    private static @Nullable Integer from(StateChange change) {
        if (change instanceof StateChange.OfSegment segment) {
            SegmentState from = segment.from();
            return from == null ? null : (int) from.code();
        }
        return change instanceof StateChange.OfPartition partition ? code(StateCodes.code(partition.from())) : null;
    }

    private static @Nullable Integer to(StateChange change) {
        if (change instanceof StateChange.OfSegment segment) {
            return (int) segment.to().code();
        }
        return change instanceof StateChange.OfPartition partition ? code(StateCodes.code(partition.to())) : null;
    }

    private static @Nullable Integer code(@Nullable Short code) {
        return code == null ? null : code.intValue();
    }
}
