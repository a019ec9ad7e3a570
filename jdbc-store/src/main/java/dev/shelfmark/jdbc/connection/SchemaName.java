package dev.shelfmark.jdbc.connection;

import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigException;

/** The name of the schema that holds the catalogue: plain enough to be pasted into SQL, and quoted there all the same. */
public record SchemaName(String name) {

    private static final Pattern PLAIN = Pattern.compile("(?!pg_)[a-z_][a-z0-9_]{0,56}");

    public SchemaName {
        if (!PLAIN.matcher(name).matches()) {
            throw new ConfigException(
                    JdbcStoreConfig.SCHEMA,
                    name,
                    "a schema's name is made of a-z, 0-9 and _, starts with a letter or _, not with pg_, and has at most 57"
                            + " characters");
        }
    }

    public String quoted() {
        return '"' + name + '"';
    }

    /** The schema of the views for audits. */
    public String audit() {
        return name + "_audit";
    }

    public String auditQuoted() {
        return '"' + audit() + '"';
    }
}
