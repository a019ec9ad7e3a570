package dev.shelfmark.migration;

import dev.shelfmark.migration.outcome.ToolFailure;
import dev.shelfmark.store.StoreAdministration;
import dev.shelfmark.store.StoreAdministration.SchemaStatus;

/** What must be so before a command that changes something begins. */
final class ToolPreconditions {

    private ToolPreconditions() {}

    /** The store's schema is this build's. */
    static void schemaIsCurrent(StoreAdministration administration) {
        SchemaStatus schema = administration.schema();
        if (!schema.pending().isEmpty()) {
            throw ToolFailure.store(
                    "the store's schema is at version " + schema.current() + ", this build needs " + schema.supported()
                            + "; run 'shelfmark migrate' first",
                    null);
        }
    }
}
