package dev.shelfmark.tool.migrate.importing;

import dev.shelfmark.store.admin.BulkLoader.LoadResult;
import dev.shelfmark.tool.failure.ToolFailure;
import java.util.Optional;

/** Why reading ended without a failure. */
public enum ImportEnd {
    /** Everything up to the captured end is in. */
    COMPLETE,
    /** Somebody told it to stop; what was read is in. */
    STOPPED,
    /** The cluster is no longer being imported: somebody has declared it ready. */
    SWITCHED;

    /** How reading ends because of what became of a load; empty when it goes on. Fails where a person must act. */
    static Optional<ImportEnd> after(LoadResult result) {
        return switch (result) {
            case LOADED -> Optional.empty();
            case NOT_IMPORTING -> Optional.of(SWITCHED);
            case CLAIM_LOST ->
                throw ToolFailure.refused("another import of this cluster took over, because this one was"
                        + " silent for too long; let that one finish, or stop it and run this again");
            case VERSION_CONFLICT ->
                throw ToolFailure.refused("a partition was changed by somebody else while its history was"
                        + " brought in; find out who writes to this catalogue, then run the same command again");
        };
    }
}
