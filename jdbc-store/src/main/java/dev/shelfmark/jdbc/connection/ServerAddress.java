package dev.shelfmark.jdbc.connection;

import java.util.Properties;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Where a URL leads, for messages.
 *
 * @param hosts one or several, separated by commas
 * @param ports as many
 * @param database the database, or null for the one that has the user's name
 */
record ServerAddress(String hosts, String ports, @Nullable String database) {

    static ServerAddress of(String url) {
        Properties parsed = Driver.parseURL(url, null);
        Properties known = parsed == null ? new Properties() : parsed;
        return new ServerAddress(
                known.getProperty(PGProperty.PG_HOST.getName(), "localhost"),
                known.getProperty(PGProperty.PG_PORT.getName(), "5432"),
                known.getProperty(PGProperty.PG_DBNAME.getName()));
    }

    String firstHost() {
        return hosts.split(",", -1)[0];
    }

    int firstPort() {
        return Integer.parseInt(ports.split(",", -1)[0]);
    }

    @Override
    public String toString() {
        String[] host = hosts.split(",", -1);
        String[] port = ports.split(",", -1);
        StringJoiner all = new StringJoiner(",");
        for (int i = 0; i < host.length; i++) {
            all.add(host[i] + ":" + port[Math.min(i, port.length - 1)]);
        }
        return all + (database == null ? "" : "/" + database);
    }
}
