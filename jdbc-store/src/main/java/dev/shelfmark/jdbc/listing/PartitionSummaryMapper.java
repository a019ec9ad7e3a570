package dev.shelfmark.jdbc.listing;

import dev.shelfmark.jdbc.listing.ListingDao.Positioned;
import dev.shelfmark.jdbc.partition.StateCodes;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.CatalogueListing.Found;
import dev.shelfmark.store.admin.CatalogueListing.Unreadable;
import dev.shelfmark.store.admin.PartitionSummary;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.StatementContext;

/** Reads the partitions of a listing. */
public final class PartitionSummaryMapper implements RowMapper<Positioned<PartitionSummary>> {

    /** For Jdbi. */
    public PartitionSummaryMapper() {}

    @Override
    public Positioned<PartitionSummary> map(ResultSet row, StatementContext context) throws SQLException {
        UUID topicId = row.getObject("topic_id", UUID.class);
        int partition = row.getInt("partition");
        String position = ListingPosition.of(partition, topicId);
        try {
            return new Positioned<>(
                    position,
                    new Found<>(new PartitionSummary(
                            new PartitionKey(row.getString("cluster_id"), topicId, partition),
                            row.getString("topic_name"),
                            row.getLong("version"),
                            row.getLong("live_segments"),
                            row.getLong("max_offset_span"),
                            StateCodes.partitionDeletion(row.getObject("deletion", Integer.class)))));
        } catch (StoreException.Corrupt | IllegalArgumentException e) {
            return new Positioned<>(
                    position,
                    new Unreadable<>(TextualId.of(topicId) + "-" + partition, String.valueOf(e.getMessage())));
        }
    }
}
