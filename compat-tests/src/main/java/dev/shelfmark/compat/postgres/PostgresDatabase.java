package dev.shelfmark.compat.postgres;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One database of a {@link PostgresServer}, and the settings that lead to it. Each role's password is its name. */
public final class PostgresDatabase implements AutoCloseable {

    /** May create the schema. */
    public static final String OWNER = "shelfmark_test_owner";

    /** Is given a broker's rights by {@link #ownerSettings}. */
    public static final String BROKER = "shelfmark_test_broker";

    /** Is given an auditor's rights by {@link #ownerSettings}. */
    public static final String AUDITOR = "shelfmark_test_auditor";

    static final List<String> ROLES = List.of(OWNER, BROKER, AUDITOR);

    private final PostgresServer server;
    private final String name;

    PostgresDatabase(PostgresServer server, String name) {
        this.server = server;
        this.name = name;
    }

    /** The server that it is on. */
    public PostgresServer server() {
        return server;
    }

    /** Its URL by way of another address, such as a proxy's. */
    public String url(String host, int port) {
        return "jdbc:postgresql://" + host + ":" + port + "/" + name;
    }

    /** The settings of a role, to be changed at will. */
    public Map<String, String> settings(String role) {
        Map<String, String> settings = new HashMap<>();
        settings.put("jdbc.url", url(server.host(), server.port()));
        settings.put("jdbc.user", role);
        settings.put("jdbc.password", role);
        return settings;
    }

    /** The settings to prepare the schema with. */
    public Map<String, String> ownerSettings() {
        Map<String, String> settings = settings(OWNER);
        settings.put("jdbc.grant.broker", BROKER);
        settings.put("jdbc.grant.auditor", AUDITOR);
        return settings;
    }

    /** Runs a statement with every right. */
    public void execute(String sql) {
        server.execute(name, sql);
    }

    /** Removes it, whoever is still connected. */
    @Override
    public void close() {
        server.execute("drop database " + name + " with (force)");
    }
}
