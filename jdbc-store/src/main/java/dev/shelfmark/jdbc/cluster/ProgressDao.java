package dev.shelfmark.jdbc.cluster;

import dev.shelfmark.jdbc.connection.NamedStatement;
import dev.shelfmark.jdbc.connection.SchemaName;
import dev.shelfmark.store.BrokerProgress;
import dev.shelfmark.store.CatalogueProgress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The catalogues' ids and the brokers' progress. */
public final class ProgressDao {

    private static final String FIND = """
            select c.id, c.replaces, b.broker_id, b.counter, b.regressed_id, b.seen_ids, b.reason
            from <schema>.catalogue_id c
            left join <schema>.broker_progress b on b.cluster_id = c.cluster_id
            where c.cluster_id = :clusterId
            order by b.broker_id
            """;

    private static final String BEGIN = """
            insert into <schema>.catalogue_id (cluster_id, id, replaces)
            values (:clusterId, :id, :replaces)
            on conflict (cluster_id) do nothing
            """;

    private static final String ACCEPT = """
            update <schema>.catalogue_id
            set id = :id, replaces = :replaces
            where cluster_id = :clusterId and id = :current
            """;

    private static final String PUT = """
            insert into <schema>.broker_progress (cluster_id, broker_id, counter, regressed_id, seen_ids, reason)
            values (:clusterId, :brokerId, :counter, :regressedId, :seenIds, :reason)
            on conflict (cluster_id, broker_id) do update
            set counter = excluded.counter, regressed_id = excluded.regressed_id, seen_ids = excluded.seen_ids,
                reason = excluded.reason
            """;

    private final NamedStatement find;
    private final NamedStatement begin;
    private final NamedStatement accept;
    private final NamedStatement put;

    public ProgressDao(SchemaName schema) {
        find = NamedStatement.of(schema, FIND);
        begin = NamedStatement.of(schema, BEGIN);
        accept = NamedStatement.of(schema, ACCEPT);
        put = NamedStatement.of(schema, PUT);
    }

    public Optional<CatalogueProgress> find(Connection connection, String clusterId) throws SQLException {
        try (PreparedStatement statement = find.prepare(connection, Map.of("clusterId", clusterId));
                ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                return Optional.empty();
            }
            String id = row.getString("id");
            Set<String> replaces = ids(row.getString("replaces"));
            List<BrokerProgress> brokers = new ArrayList<>();
            do {
                int broker = row.getInt("broker_id");
                if (!row.wasNull()) {
                    brokers.add(new BrokerProgress(
                            broker,
                            row.getLong("counter"),
                            new BrokerProgress.Regression(
                                    row.getString("regressed_id"),
                                    ids(row.getString("seen_ids")),
                                    row.getString("reason"))));
                }
            } while (row.next());
            return Optional.of(new CatalogueProgress(id, replaces, brokers));
        }
    }

    /** How many rows were written: none when the cluster has an id. */
    public int begin(Connection connection, String clusterId, String id, Set<String> replaces) throws SQLException {
        return update(begin, connection, Map.of("clusterId", clusterId, "id", id, "replaces", text(replaces)));
    }

    /** How many rows were changed: none when the id is another than {@code current}. */
    public int accept(Connection connection, String clusterId, String current, String id, Set<String> replaces)
            throws SQLException {
        return update(
                accept,
                connection,
                Map.of("clusterId", clusterId, "id", id, "replaces", text(replaces), "current", current));
    }

    public int put(Connection connection, String clusterId, BrokerProgress progress) throws SQLException {
        BrokerProgress.Regression regression = progress.regression();
        return update(
                put,
                connection,
                Map.of(
                        "clusterId",
                        clusterId,
                        "brokerId",
                        progress.brokerId(),
                        "counter",
                        progress.counter(),
                        "regressedId",
                        regression.catalogueId(),
                        "seenIds",
                        text(regression.seenIds()),
                        "reason",
                        regression.reason()));
    }

    private static int update(NamedStatement named, Connection connection, Map<String, Object> values)
            throws SQLException {
        try (PreparedStatement statement = named.prepare(connection, values)) {
            return statement.executeUpdate();
        }
    }

    private static String text(Set<String> ids) {
        return String.join(" ", new TreeSet<>(ids));
    }

    private static Set<String> ids(String text) {
        return text.isEmpty() ? Set.of() : Set.of(text.split(" "));
    }
}
