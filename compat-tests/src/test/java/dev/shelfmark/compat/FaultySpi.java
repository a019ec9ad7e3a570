package dev.shelfmark.compat;

import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The faults of a network for a store that has none: each call is one request. It keeps the SPI's promises about failures, so
 * it also is what callers of stores can be tested with.
 */
final class FaultySpi implements CatalogueStore, Faults {

    private final CatalogueStore store;
    private final Duration callLimit;
    private final FaultPlan plan = new FaultPlan();
    private volatile boolean refusing;
    private volatile boolean closed;

    FaultySpi(CatalogueStore store, Duration callLimit) {
        this.store = store;
        this.callLimit = callLimit;
    }

    /** A request whose answer is lost, or that was held too long, ends as {@code lost} says. */
    private <T> T call(String what, Supplier<T> request, Function<String, StoreException> lost) {
        FaultPlan.Single fault = plan.requestBegins();
        if (refusing || fault == FaultPlan.Single.CUT_BEFORE) {
            throw unavailable(what + ": " + (refusing ? "connection refused" : "connection lost"));
        }
        try {
            if (!plan.letPass(true, callLimit, () -> closed)) {
                throw closed
                        ? unavailable(what + ": the store was closed")
                        : lost.apply(what + ": no answer in " + callLimit);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable(what + ": interrupted");
        }
        T answer = request.get();
        if (fault == FaultPlan.Single.SWALLOW_ANSWER) {
            throw lost.apply(what + ": connection lost");
        }
        return answer;
    }

    private static StoreException unavailable(String reason) {
        return new StoreException.Unavailable(reason, null);
    }

    private <T> T read(String what, Supplier<T> request) {
        return call(what, request, FaultySpi::unavailable);
    }

    @Override
    public void verify() {
        read("verify", () -> {
            store.verify();
            return true;
        });
    }

    @Override
    public Optional<ClusterRecord> cluster(String clusterId) {
        return read("cluster " + clusterId, () -> store.cluster(clusterId));
    }

    @Override
    public PartitionHead read(PartitionKey key, Selection selection, Consumer<SegmentRecord> segments) {
        List<SegmentRecord> selected = new ArrayList<>();
        PartitionHead head = read("read of " + key, () -> store.read(key, selection, selected::add));
        selected.forEach(segments);
        return head;
    }

    @Override
    public CommitResult commit(PartitionKey key, PartitionCommit commit) {
        return call(
                "commit of " + key,
                () -> store.commit(key, commit),
                reason -> new StoreException.OutcomeUnknown(reason, null));
    }

    @Override
    public int maxSegmentsPerCommit() {
        return store.maxSegmentsPerCommit();
    }

    @Override
    public int purgeDeleted(String clusterId, int limit) {
        return read("purge of " + clusterId, () -> store.purgeDeleted(clusterId, limit));
    }

    @Override
    public int purgeHistory(int limit) {
        return read("purge of the history", () -> store.purgeHistory(limit));
    }

    @Override
    public void heartbeat(BrokerHeartbeat beat) {
        call(
                "heartbeat of broker " + beat.brokerId(),
                () -> {
                    store.heartbeat(beat);
                    return true;
                },
                reason -> new StoreException.OutcomeUnknown(reason, null));
    }

    @Override
    public void close() {
        closed = true;
        store.close();
    }

    @Override
    public void refuse() {
        refusing = true;
    }

    @Override
    public void cut() {
        // A call has no connection that outlives it.
    }

    @Override
    public void cutBeforeRequest(int requests) {
        plan.arm(FaultPlan.Single.CUT_BEFORE, requests);
    }

    @Override
    public void swallowAnswer(int requests) {
        plan.arm(FaultPlan.Single.SWALLOW_ANSWER, requests);
    }

    @Override
    public boolean happened() {
        return plan.happened();
    }

    @Override
    public void delay(Duration next) {
        plan.delay(next);
    }

    @Override
    public void blackHole() {
        plan.hold();
    }

    @Override
    public void heal() {
        refusing = false;
        plan.clear();
    }
}
