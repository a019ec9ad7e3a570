package dev.shelfmark.soak.record;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.CommitResult;
import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls of a store, written down; with a {@link Plant}, broken. */
final class RecordedCalls implements InvocationHandler {

    private final CatalogueStore store;
    private final Plant plant;
    private final Recorder recorder;

    RecordedCalls(CatalogueStore store, Plant plant, Recorder recorder) {
        this.store = store;
        this.plant = plant;
        this.recorder = recorder;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (arguments != null && arguments[0] instanceof PartitionKey key) {
            if (method.getName().equals("commit")) {
                return commit(key, (PartitionCommit) arguments[1]);
            }
            if (method.getName().equals("read")) {
                return read(key, method, arguments);
            }
        }
        return call(method, arguments);
    }

    private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(store, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private @Nullable Object read(PartitionKey key, Method method, Object[] arguments) throws Throwable {
        long begun = Recorder.now();
        try {
            Object head = call(method, arguments);
            if (head instanceof PartitionHead answered) {
                recorder.read(key, begun, answered.version());
            }
            return head;
        } catch (StoreException.Unavailable e) {
            if (plant == Plant.EMPTY_WHEN_UNREACHABLE) {
                recorder.read(key, begun, PartitionHead.NEW.version());
                return PartitionHead.NEW;
            }
            throw e;
        }
    }

    private CommitResult commit(PartitionKey key, PartitionCommit commit) {
        long call = recorder.commitBegins(
                key, commit.expectedVersion(), commit.head().version());
        String outcome = "nothing";
        try {
            CommitResult result = store.commit(key, commit);
            if (plant == Plant.IGNORE_VERSION && result instanceof CommitResult.VersionConflict) {
                result = store.commit(key, atWhateverVersion(key, commit));
            }
            outcome = result instanceof CommitResult.Committed ? "committed" : "conflict";
            return result;
        } catch (StoreException.OutcomeUnknown e) {
            outcome = "unknown";
            throw e;
        } finally {
            recorder.commitEnds(call, outcome);
        }
    }

    /** What a store does that forgets to compare versions: the head that the caller decided on replaces the one that is there. */
    private PartitionCommit atWhateverVersion(PartitionKey key, PartitionCommit commit) {
        long now = store.read(key, new Selection.HeadOnly(), segment -> {}).version();
        PartitionHead decided = commit.head();
        PartitionHead head = new PartitionHead(
                now + 1,
                decided.topicName(),
                decided.liveSegments(),
                decided.maxOffsetSpan(),
                decided.deletion(),
                decided.highestOffsets());
        return new PartitionCommit(now, head, commit.segments(), List.of());
    }
}
