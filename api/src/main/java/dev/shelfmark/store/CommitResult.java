package dev.shelfmark.store;

/** What became of a {@link PartitionCommit}. */
public sealed interface CommitResult {

    /** It is durable, all of it. */
    record Committed() implements CommitResult {}

    /**
     * Nothing of it was applied: the partition is not at the expected version, or has a record of a segment that the commit takes for
     * new.
     */
    record VersionConflict() implements CommitResult {}
}
