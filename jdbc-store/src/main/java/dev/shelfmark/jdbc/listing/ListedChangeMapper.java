package dev.shelfmark.jdbc.listing;

import dev.shelfmark.jdbc.listing.ListingDao.Positioned;
import dev.shelfmark.jdbc.partition.StateCodes;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.StateChange;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.CatalogueListing.Found;
import dev.shelfmark.store.admin.CatalogueListing.Unreadable;
import dev.shelfmark.store.admin.RecordedChange;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;

/** Reads the changes of a history. */
public final class ListedChangeMapper implements RowMapper<Positioned<RecordedChange>> {

    /** For Jdbi. */
    public ListedChangeMapper() {}

    @Override
    public Positioned<RecordedChange> map(ResultSet row, StatementContext context) throws SQLException {
        String position = Long.toString(row.getLong("version"));
        try {
            return new Positioned<>(
                    position,
                    new Found<>(new RecordedChange(
                            change(row),
                            row.getObject("recorded_at", OffsetDateTime.class).toInstant())));
        } catch (StoreException.Corrupt | IllegalArgumentException e) {
            return new Positioned<>(position, new Unreadable<>(position, String.valueOf(e.getMessage())));
        }
    }

    private static StateChange change(ResultSet row) throws SQLException {
        long version = row.getLong("version");
        UUID segmentId = row.getObject("segment_id", UUID.class);
        Integer from = row.getObject("from_state", Integer.class);
        int to = row.getInt("to_state");
        int brokerId = row.getInt("broker_id");
        long eventTimestampMs = row.getLong("event_timestamp_ms");
        return segmentId == null
                ? new StateChange.OfPartition(
                        version,
                        StateCodes.partitionDeletion(from),
                        StateCodes.partitionDeletion(to),
                        brokerId,
                        eventTimestampMs)
                : new StateChange.OfSegment(
                        version, segmentId, segmentState(from), SegmentState.ofCode(to), brokerId, eventTimestampMs);
    }

    private static @Nullable SegmentState segmentState(@Nullable Integer code) {
        return code == null ? null : SegmentState.ofCode(code);
    }
}
