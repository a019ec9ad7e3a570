package dev.shelfmark.tool.console;

import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.store.admin.StoreAdministration.SchemaStatus;
import dev.shelfmark.tool.failure.ToolFailure;

/** What must be so before a command that changes something begins. */
public final class ToolPreconditions {

    private ToolPreconditions() {}

    /** The store's schema is this build's. */
    public static void schemaIsCurrent(StoreAdministration administration) {
        SchemaStatus schema = administration.schema();
        if (!schema.pending().isEmpty()) {
            throw ToolFailure.store(
                    "the store's schema is at version " + schema.current() + ", this build needs " + schema.supported()
                            + "; run 'shelfmark upgrade-schema' first",
                    null);
        }
    }
}
