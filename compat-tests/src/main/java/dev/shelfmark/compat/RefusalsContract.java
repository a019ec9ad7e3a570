package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.CatalogueListing;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a person must look at is told apart from what passes by itself. For back ends whose harness is a {@link SpoilableHarness}. */
@DisplayName(
        "Refusals: a missing schema, missing rights and records that can't be understood are called by their names")
public abstract class RefusalsContract extends StoreContract {

    protected RefusalsContract(StoreBackEnd backEnd) {
        super(backEnd);
    }

    private SpoilableHarness spoilable() {
        if (harness() instanceof SpoilableHarness spoilable) {
            return spoilable;
        }
        throw new AssertionError("this theme needs a SpoilableHarness, not " + harness());
    }

    private Map<String, ThrowingCallable> everyCall(CatalogueStore store) {
        TestPartition there = newPartition();
        PartitionCommit commit = there.next(Segments.finished(0, 9));
        TestPartition partition = there.through(store);
        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        calls.put("verify", store::verify);
        calls.put("cluster", () -> store.cluster(there.key().clusterId()));
        calls.put("read", partition::all);
        calls.put("commit", () -> partition.commit(commit));
        if (!harness().recordsExpireByThemselves()) {
            calls.put("purge", () -> store.purgeDeleted(there.key().clusterId(), 1));
        }
        return calls;
    }

    @Test
    @DisplayName("Without a schema every call ends with SchemaMismatch, never with an empty answer")
    void withoutSchema() {
        everyCall(closeLater(spoilable().openWithoutSchema()))
                .forEach((name, call) ->
                        assertThatThrownBy(call).as(name).isInstanceOf(StoreException.SchemaMismatch.class));
    }

    @Test
    @DisplayName("Without rights every call ends with AccessDenied, and no message or cause holds the secret")
    void withoutRights() {
        String secret = "s3cr3t-" + UUID.randomUUID();
        everyCall(closeLater(spoilable().openWithoutRights(secret))).forEach((name, call) -> {
            Throwable failure = catchThrowable(call);
            assertThat(failure).as(name).isInstanceOf(StoreException.AccessDenied.class);
            StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            assertThat(trace.toString()).doesNotContain(secret);
        });
    }

    @Test
    @DisplayName("A cluster whose state no build knows is Corrupt, not unknown and not ready")
    void unknownClusterState() {
        String cluster = newCluster();
        assertThat(store().cluster(cluster)).isPresent();
        spoilable().spoilClusterState(cluster);
        assertThatThrownBy(() -> store().cluster(cluster)).isInstanceOf(StoreException.Corrupt.class);
    }

    @Test
    @DisplayName(
            "A segment whose state no build knows is Corrupt wherever it would be handed over, and others are not disturbed")
    void unknownSegmentState() {
        TestPartition partition = newPartition();
        SegmentRecord spoiled = partition.putOne(Segments.finished(0, 9));
        SegmentRecord sound = partition.putOne(Segments.finished(10, 19));
        spoilable().spoilSegmentState(partition.key(), spoiled.segmentId());
        assertThatThrownBy(partition::all).isInstanceOf(StoreException.Corrupt.class);
        assertThatThrownBy(() -> partition.read(new Selection.ById(Set.of(spoiled.segmentId()))))
                .isInstanceOf(StoreException.Corrupt.class);
        assertThatThrownBy(() -> partition.read(new Selection.ChangedSince(0)))
                .isInstanceOf(StoreException.Corrupt.class);
        assertThat(partition.read(new Selection.ById(Set.of(sound.segmentId()))).segments())
                .containsExactly(sound);
        assertThat(partition.head().version()).isEqualTo(2);
    }

    @Test
    @DisplayName("A segment that can't be understood is an item of a listing that says so, and ends nothing")
    void unreadableInListing() {
        TestPartition partition = newPartition();
        SegmentRecord spoiled = partition.putOne(Segments.finished(0, 9));
        SegmentRecord sound = partition.putOne(Segments.finished(10, 19));
        spoilable().spoilSegmentState(partition.key(), spoiled.segmentId());
        CatalogueListing listing = closeLater(harness().listing(StoreListener.NONE));
        CatalogueListing.Page<SegmentRecord> first =
                listing.segments(partition.key(), CatalogueListing.Kept.LIVE, null, 1);
        assertThat(first.items())
                .singleElement()
                .isInstanceOfSatisfying(
                        CatalogueListing.Unreadable.class,
                        row -> assertThat(row.id()).isEqualTo(TextualId.of(spoiled.segmentId())));
        assertThat(listing.segments(partition.key(), CatalogueListing.Kept.LIVE, first.next(), 1)
                        .items())
                .containsExactly(new CatalogueListing.Found<>(sound));
    }
}
