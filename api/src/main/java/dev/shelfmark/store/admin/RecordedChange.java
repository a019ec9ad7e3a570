package dev.shelfmark.store.admin;

import dev.shelfmark.store.StateChange;
import java.time.Instant;
import java.util.Objects;

/**
 * A change as a store keeps it.
 *
 * @param recordedAt when it was committed: by the back end's clock if it has one that a commit can use, else by the clock of who committed;
 *     for people, never for ordering
 */
public record RecordedChange(StateChange change, Instant recordedAt) {
    public RecordedChange {
        Objects.requireNonNull(change, "change");
        Objects.requireNonNull(recordedAt, "recordedAt");
    }
}
