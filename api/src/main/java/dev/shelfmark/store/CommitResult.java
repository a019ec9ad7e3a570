package dev.shelfmark.store;

/** What became of a {@link PartitionCommit}. */
public sealed interface CommitResult {

    /** It is durable, all of it. */
    record Committed() implements CommitResult {}

    /** Nothing of it was applied: the partition is not at the expected version. */
    record VersionConflict() implements CommitResult {}
}
