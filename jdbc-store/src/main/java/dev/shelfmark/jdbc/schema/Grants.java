package dev.shelfmark.jdbc.schema;

import dev.shelfmark.jdbc.connection.JdbcStoreConfig;
import dev.shelfmark.jdbc.connection.SchemaName;
import dev.shelfmark.jdbc.connection.SqlErrors;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.StatementCustomizer;

/**
 * What the owner grants to the roles of brokers and auditors. Least rights: no DDL, no DELETE but for the purges,
 * and a cluster's state, on which everything hangs, is not a broker's to change.
 */
public final class Grants {

    private static final List<String> BROKER = List.of(
            "grant usage on schema <schema> to <role>",
            "grant select on <schema>.schema_history, <schema>.cluster to <role>",
            "grant select, insert, update on <schema>.topic_partition, <schema>.epoch_highest_offset to <role>",
            "grant select, insert, update, delete on <schema>.segment to <role>",
            "grant select, insert, update on <schema>.broker_heartbeat to <role>",
            "grant select, insert on <schema>.catalogue_id to <role>",
            "grant select, insert, update on <schema>.broker_progress to <role>",
            "grant select, insert, delete on <schema>.state_change to <role>",
            // The purge locks rows, for which PostgreSQL asks for the right to update some column.
            "grant update (expires_at) on <schema>.state_change to <role>",
            "grant select, insert, delete on <schema>.state_change_group to <role>",
            "grant update (expires_at) on <schema>.state_change_group to <role>");

    private static final List<String> AUDITOR = List.of(
            "grant usage on schema <schema>, <audit> to <role>",
            "grant select on all tables in schema <schema>, <audit> to <role>");

    /** PostgreSQL only warns who has a right but may not pass it on. */
    private static final String NOT_GRANTED = "01007";

    private static final StatementCustomizer REFUSED_IS_AN_ERROR = new StatementCustomizer() {
        @Override
        public void afterExecution(PreparedStatement statement, StatementContext context) throws SQLException {
            for (SQLWarning told = statement.getWarnings(); told != null; told = told.getNextWarning()) {
                if (NOT_GRANTED.equals(told.getSQLState())) {
                    throw new SQLException(told.getMessage(), SqlErrors.NO_RIGHT);
                }
            }
        }
    };

    private final Handle handle;
    private final SchemaName schema;

    public Grants(Handle handle, SchemaName schema) {
        this.handle = handle;
        this.schema = schema;
    }

    /** Grants what is to be granted; what was granted before stays. A line for each role that has more rights than before. */
    public List<String> apply(JdbcStoreConfig config) {
        List<String> done = new ArrayList<>();
        for (String role : config.brokerRoles()) {
            if (grant(BROKER, role)) {
                done.add("rights of a broker: " + role);
            }
        }
        for (String role : config.auditorRoles()) {
            if (grant(AUDITOR, role)) {
                done.add("rights of an auditor: " + role);
            }
        }
        return done;
    }

    private boolean grant(List<String> statements, String role) {
        List<String> before = rights();
        String quoted = handle.createQuery("select quote_ident(:role)")
                .bind("role", role)
                .mapTo(String.class)
                .one();
        for (String statement : statements) {
            handle.createUpdate(statement)
                    .define("role", quoted)
                    .define("audit", schema.auditQuoted())
                    .addCustomizer(REFUSED_IS_AN_ERROR)
                    .execute();
        }
        return !rights().equals(before);
    }

    /** Of everybody, on the schema and all that is in it. */
    private List<String> rights() {
        return handle.createQuery("""
                        select oid || ' ' || nspacl::text from pg_catalog.pg_namespace
                        where nspname in (:schemaName, :auditName) and nspacl is not null
                        union all
                        select c.oid || ' ' || c.relacl::text
                        from pg_catalog.pg_class c
                        join pg_catalog.pg_namespace n on n.oid = c.relnamespace
                        where n.nspname in (:schemaName, :auditName) and c.relacl is not null
                        order by 1
                        """)
                .bind("schemaName", schema.name())
                .bind("auditName", schema.audit())
                .mapTo(String.class)
                .list();
    }
}
