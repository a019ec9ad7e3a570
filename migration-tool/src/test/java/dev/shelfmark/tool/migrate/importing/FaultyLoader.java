package dev.shelfmark.tool.migrate.importing;

import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.PartitionLoad;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

/** Fails now and then, before or after the change is made, as a lost connection or a kill does. */
final class FaultyLoader implements BulkLoader {

    private final BulkLoader loader;
    private final Random random;
    private final int oneIn;
    private final Supplier<RuntimeException> before;
    private final Supplier<RuntimeException> after;

    FaultyLoader(
            BulkLoader loader,
            Random random,
            int oneIn,
            Supplier<RuntimeException> before,
            Supplier<RuntimeException> after) {
        this.loader = loader;
        this.random = random;
        this.oneIn = oneIn;
        this.before = before;
        this.after = after;
    }

    @Override
    public LoadResult load(List<PartitionLoad> loads) {
        // Some of the loads are made, as the contract allows, and then it fails.
        int made = random.nextInt(oneIn) == 0 ? random.nextInt(loads.size() + 1) : loads.size();
        LoadResult result = faulty(() -> loader.load(loads.subList(0, made)));
        if (made < loads.size()) {
            throw after.get();
        }
        return result;
    }

    @Override
    public LoadResult checkpoint(int source, Checkpoint checkpoint) {
        return faulty(() -> loader.checkpoint(source, checkpoint));
    }

    private LoadResult faulty(Supplier<LoadResult> change) {
        if (random.nextInt(oneIn) == 0) {
            throw before.get();
        }
        LoadResult result = change.get();
        if (random.nextInt(oneIn) == 0) {
            throw after.get();
        }
        return result;
    }

    @Override
    public boolean empty() {
        return loader.empty();
    }

    @Override
    public Map<Integer, Checkpoint> checkpoints() {
        return loader.checkpoints();
    }

    @Override
    public Map<PartitionKey, Progress> progress(int source) {
        return loader.progress(source);
    }

    @Override
    public int maxSegmentsPerLoad() {
        // Small, so that partitions are loaded in several steps.
        return 3;
    }

    @Override
    public LoadResult renew() {
        return loader.renew();
    }

    @Override
    public void close() {
        loader.close();
    }
}
