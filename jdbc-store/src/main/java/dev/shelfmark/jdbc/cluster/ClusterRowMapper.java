package dev.shelfmark.jdbc.cluster;

import dev.shelfmark.jdbc.partition.StateCodes;
import dev.shelfmark.store.ClusterRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jdbi.v3.core.statement.StatementContext;

/** Reads the rows of {@link ClusterDao}. */
public final class ClusterRowMapper implements RowMapper<ClusterRecord> {

    @Override
    public ClusterRecord map(ResultSet row, StatementContext context) throws SQLException {
        return record(row);
    }

    public static ClusterRecord record(ResultSet row) throws SQLException {
        return new ClusterRecord(
                row.getString("cluster_id"),
                StateCodes.clusterState(row.getString("state")),
                row.getLong("revision"),
                row.getObject("changed_at", OffsetDateTime.class).toInstant(),
                row.getString("changed_by"),
                row.getString("note"));
    }
}
