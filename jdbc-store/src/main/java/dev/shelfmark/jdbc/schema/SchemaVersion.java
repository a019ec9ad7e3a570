package dev.shelfmark.jdbc.schema;

import dev.shelfmark.jdbc.connection.SchemaName;
import dev.shelfmark.store.StoreException;

/**
 * Which versions of the schema a build works with: its own, and at least the one before it, so that brokers can be upgraded one by one
 * before the schema is.
 *
 * @param oldest the oldest version that this build works with
 * @param supported this build's version: the number of its last migration
 */
public record SchemaVersion(int oldest, int supported) {

    public static final SchemaVersion CURRENT = new SchemaVersion(1, 1);

    public void require(int found, SchemaName schema) {
        if (found > supported) {
            throw newer(found, schema);
        }
        if (found < oldest) {
            throw new StoreException.SchemaMismatch(
                    "the schema " + schema.name() + " is at version " + found + ", but this build needs "
                            + (oldest == supported ? "" : oldest + " to ") + supported
                            + ": run `shelfmark upgrade-schema`",
                    null);
        }
    }

    StoreException newer(int found, SchemaName schema) {
        return new StoreException.SchemaMismatch(
                "the schema " + schema.name() + " is at version " + found
                        + ", newer than this build, which knows up to " + supported + ": use the newer Shelfmark",
                null);
    }
}
