package dev.shelfmark.jdbc.schema;

import dev.shelfmark.jdbc.connection.Database;
import dev.shelfmark.jdbc.connection.JdbcStoreConfig;
import dev.shelfmark.jdbc.connection.Request;
import dev.shelfmark.jdbc.connection.SchemaName;
import dev.shelfmark.jdbc.connection.SqlErrors;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.StoreAdministration.SchemaStatus;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.jdbi.v3.core.ConnectionException;

/**
 * Brings the schema up to date, with Flyway on its own terms: own migrations, own history table within the schema, own class loader. It
 * never repairs a history and never adopts a schema that it did not make.
 *
 * <p>Two at once: Flyway's own lock lives in the history table's transaction, which does not exist before the schema does. So an
 * advisory lock on the schema's name is held around everything, in a transaction of its own connection.
 */
public final class SchemaMigrator {

    static final String HISTORY = "schema_history";

    private final DataSource dataSource;
    private final SchemaName schema;
    private final SchemaVersion version;
    private final Duration timeout;
    private final Flyway flyway;

    public SchemaMigrator(DataSource dataSource, SchemaName schema, SchemaVersion version, Duration timeout) {
        this.dataSource = dataSource;
        this.schema = schema;
        this.version = version;
        this.timeout = timeout;
        this.flyway = Flyway.configure(SchemaMigrator.class.getClassLoader())
                .dataSource(dataSource)
                .locations("classpath:dev/shelfmark/jdbc/schema/migration")
                .failOnMissingLocations(true)
                .validateMigrationNaming(true)
                .defaultSchema(schema.name())
                .schemas(schema.name())
                .createSchemas(true)
                .table(HISTORY)
                .cleanDisabled(true)
                .baselineOnMigrate(false)
                .placeholderReplacement(false)
                .connectRetries(0)
                .loggers("slf4j")
                .load();
    }

    public SchemaStatus status() {
        return guarded(Request.read("schema", schema.name()), () -> {
            int found = found();
            List<String> pending = new ArrayList<>();
            for (MigrationInfo migration : flyway.info().pending()) {
                pending.add(line(migration));
            }
            return new SchemaStatus(found, version.supported(), pending);
        });
    }

    /** What was done, a line each. */
    public List<String> migrate() {
        return guarded(Request.ownersChange("migration", schema.name()), () -> {
            try (Connection lock = Database.connect(dataSource)) {
                lock.setAutoCommit(false);
                awaitOthers(lock);
                return migrateAlone();
            }
        });
    }

    private void awaitOthers(Connection lock) throws SQLException {
        try (PreparedStatement statement = lock.prepareStatement(
                "select set_config('lock_timeout', ?, true), pg_advisory_xact_lock(hashtext('shelfmark'), hashtext(?))")) {
            statement.setString(1, timeout.toMillis() + "ms");
            statement.setString(2, schema.name());
            statement.execute();
        }
    }

    private List<String> migrateAlone() throws SQLException {
        int found = found();
        if (found > version.supported()) {
            throw version.newer(found, schema);
        }
        List<MigrationInfo> pending = Arrays.asList(flyway.info().pending());
        // Also when nothing is pending: it then still compares the history with the migrations.
        flyway.migrate();
        return pending.stream().map(SchemaMigrator::line).toList();
    }

    private static String line(MigrationInfo migration) {
        // Without a version: a file that is run again whenever it has changed, such as the views'.
        return migration.getVersion() == null
                ? migration.getDescription()
                : "schema version " + migration.getVersion() + ": " + migration.getDescription();
    }

    /** The version that is there, 0 for none; refuses a schema that holds something else. */
    private int found() throws SQLException {
        try (Connection connection = Database.connect(dataSource)) {
            List<String> tables = new ArrayList<>();
            try (PreparedStatement statement = connection.prepareStatement(
                    "select tablename from pg_catalog.pg_tables where schemaname = ? order by tablename")) {
                statement.setString(1, schema.name());
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        tables.add(rows.getString(1));
                    }
                }
            }
            if (tables.contains(HISTORY)) {
                return history(connection);
            }
            if (tables.isEmpty()) {
                return 0;
            }
            throw new StoreException.SchemaMismatch(
                    "the schema " + schema.name() + " holds tables that are not Shelfmark's ("
                            + String.join(", ", tables) + "): choose another name with " + JdbcStoreConfig.SCHEMA,
                    null);
        }
    }

    private int history(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select coalesce(max(version::int), 0) from "
                        + schema.quoted() + '.' + HISTORY + " where success and version is not null");
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private interface Step<T> {
        T run() throws SQLException;
    }

    private <T> T guarded(Request request, Step<T> step) {
        try {
            return step.run();
        } catch (FlywayValidateException e) {
            throw new StoreException.SchemaMismatch(
                    "the history of the schema " + schema.name() + " is not that of this build's migrations: "
                            + e.getMessage(),
                    e);
        } catch (FlywayException | ConnectionException | SQLException e) {
            throw SqlErrors.translate(request, e);
        }
    }
}
