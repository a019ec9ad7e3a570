package dev.shelfmark.jdbc;

import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * What the owner grants to the roles of brokers and auditors. Least rights: no DDL, no DELETE but for the purge of deleted segments,
 * and a cluster's state, on which everything hangs, is not a broker's to change.
 */
final class Grants {

    private static final List<String> BROKER = List.of(
            "grant usage on schema <schema> to <role>",
            "grant select on <schema>.schema_history, <schema>.cluster to <role>",
            "grant select, insert, update on <schema>.topic_partition, <schema>.epoch_highest_offset to <role>",
            "grant select, insert, update, delete on <schema>.segment to <role>");

    private static final List<String> AUDITOR = List.of(
            "grant usage on schema <schema> to <role>", "grant select on all tables in schema <schema> to <role>");

    private final Handle handle;

    Grants(Handle handle) {
        this.handle = handle;
    }

    /** Grants what is to be granted; what was granted before stays. A line for each role. */
    List<String> apply(JdbcStoreConfig config) {
        List<String> done = new ArrayList<>();
        for (String role : config.brokerRoles()) {
            grant(BROKER, role);
            done.add("rights of a broker: " + role);
        }
        for (String role : config.auditorRoles()) {
            grant(AUDITOR, role);
            done.add("rights of an auditor: " + role);
        }
        return done;
    }

    private void grant(List<String> statements, String role) {
        String quoted = handle.createQuery("select quote_ident(:role)")
                .bind("role", role)
                .mapTo(String.class)
                .one();
        for (String statement : statements) {
            handle.createUpdate(statement).define("role", quoted).execute();
        }
    }
}
