package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import java.util.Set;
import java.util.stream.Collectors;

/** A commit whose outcome is compared with what is there afterwards. */
record CommitAttempt(TestPartition partition, PartitionCommit commit, Outcome outcome) {

    /** What a caller is told. */
    enum Outcome {
        COMMITTED,
        CONFLICT,
        UNAVAILABLE,
        UNKNOWN
    }

    static CommitAttempt of(TestPartition partition, PartitionCommit commit) {
        return new CommitAttempt(partition, commit, attempt(partition, commit));
    }

    private static Outcome attempt(TestPartition partition, PartitionCommit commit) {
        try {
            return partition.commit(commit) instanceof CommitResult.Committed ? Outcome.COMMITTED : Outcome.CONFLICT;
        } catch (StoreException.Unavailable e) {
            return Outcome.UNAVAILABLE;
        } catch (StoreException.OutcomeUnknown e) {
            return Outcome.UNKNOWN;
        }
    }

    /** Whether it is there, asked through a healthy store; fails when it is there in part, or the caller was told otherwise. */
    boolean applied(TestPartition healthy) {
        assertThat(healthy.key()).isEqualTo(partition.key());
        Snapshot now = healthy.read(new Selection.ById(
                commit.segments().stream().map(segment -> segment.segmentId()).collect(Collectors.toSet())));
        boolean applied = now.head().version() == commit.head().version();
        assertThat(Set.copyOf(now.segments()))
                .as("after %s: all of the commit or nothing", outcome)
                .isEqualTo(applied ? Set.copyOf(commit.segments()) : Set.of());
        if (!applied) {
            assertThat(now.head().version()).isEqualTo(commit.expectedVersion());
        }
        switch (outcome) {
            case COMMITTED -> assertThat(applied).as("told that it is durable").isTrue();
            case CONFLICT, UNAVAILABLE ->
                assertThat(applied)
                        .as("told %s: nothing was or will be applied", outcome)
                        .isFalse();
            case UNKNOWN -> {
                // Either is right.
            }
        }
        return applied;
    }
}
