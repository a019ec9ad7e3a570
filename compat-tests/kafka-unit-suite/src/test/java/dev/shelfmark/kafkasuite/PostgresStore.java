package dev.shelfmark.kafkasuite;

import dev.shelfmark.compat.broker.JdbcCatalogue;
import dev.shelfmark.compat.broker.PostgresNode;
import java.util.Map;

/** A PostgreSQL server of its own. */
final class PostgresStore implements SuiteStore {

    private final JdbcCatalogue catalogue = JdbcCatalogue.start();

    @Override
    public Map<String, ?> register(String clusterId) {
        catalogue.register(clusterId);
        return catalogue.brokerSettings(PostgresNode.DATABASE);
    }

    @Override
    public void close() {
        catalogue.close();
    }
}
