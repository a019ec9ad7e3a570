package dev.shelfmark.tool.migrate.importing;

import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.PartitionLoad;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Fails the test's import when it is asked by two threads at once, and when anything is changed between a failure and the reading of the
 * checkpoints: nobody knows by then what is there.
 */
class WatchedLoader implements BulkLoader {

    private final BulkLoader loader;
    private final AtomicBoolean asked = new AtomicBoolean();
    private volatile boolean failed;

    WatchedLoader(BulkLoader loader) {
        this.loader = loader;
    }

    private <T> T alone(Supplier<T> call) {
        if (asked.getAndSet(true)) {
            throw new AssertionError("two threads ask the loader at once");
        }
        try {
            return call.get();
        } finally {
            asked.set(false);
        }
    }

    private LoadResult changing(Supplier<LoadResult> change) {
        return alone(() -> {
            if (failed) {
                throw new AssertionError("changed after a failure, before the checkpoints were read");
            }
            boolean made = false;
            try {
                LoadResult result = change.get();
                made = true;
                return result;
            } finally {
                failed = !made;
            }
        });
    }

    @Override
    public LoadResult load(List<PartitionLoad> loads) {
        return changing(() -> loader.load(loads));
    }

    @Override
    public LoadResult checkpoint(int source, Checkpoint checkpoint) {
        return changing(() -> loader.checkpoint(source, checkpoint));
    }

    @Override
    public LoadResult renew() {
        return changing(loader::renew);
    }

    @Override
    public Map<Integer, Checkpoint> checkpoints() {
        return alone(() -> {
            Map<Integer, Checkpoint> checkpoints = loader.checkpoints();
            failed = false;
            return checkpoints;
        });
    }

    @Override
    public boolean empty() {
        return alone(loader::empty);
    }

    @Override
    public Map<PartitionKey, Progress> progress(int source) {
        return alone(() -> loader.progress(source));
    }

    @Override
    public int maxSegmentsPerLoad() {
        return loader.maxSegmentsPerLoad();
    }

    @Override
    public long maxBytesPerLoad() {
        return loader.maxBytesPerLoad();
    }

    @Override
    public void close() {
        loader.close();
    }
}
