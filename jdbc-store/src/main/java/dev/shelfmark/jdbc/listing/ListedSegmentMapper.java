package dev.shelfmark.jdbc.listing;

import dev.shelfmark.jdbc.listing.ListingDao.Positioned;
import dev.shelfmark.jdbc.partition.PartitionRowMapper;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.CatalogueListing.Found;
import dev.shelfmark.store.admin.CatalogueListing.Unreadable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.StatementContext;

/** Reads the segments of a listing. */
public final class ListedSegmentMapper implements RowMapper<Positioned<SegmentRecord>> {

    /** For Jdbi. */
    public ListedSegmentMapper() {}

    @Override
    public Positioned<SegmentRecord> map(ResultSet row, StatementContext context) throws SQLException {
        UUID segmentId = row.getObject("segment_id", UUID.class);
        String position = ListingPosition.of(row.getLong("start_offset"), segmentId);
        try {
            return new Positioned<>(position, new Found<>(PartitionRowMapper.segment(segmentId, row)));
        } catch (IllegalArgumentException e) {
            return new Positioned<>(
                    position, new Unreadable<>(TextualId.of(segmentId), String.valueOf(e.getMessage())));
        }
    }
}
