package dev.shelfmark.catalogue;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.Selection;
import dev.shelfmark.store.StoreException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells an outage of the store from a partition that alone can't be read, or only slowly. Either is taken for an outage at once, so that nobody
 * waits for one in vain; then another partition is looked at in the background, and if it can be read, it was none.
 */
final class OutageCheck {

    private final CatalogueStore store;
    private final StoreOutage outage;
    private final Executor background;
    private final AtomicBoolean looking = new AtomicBoolean();

    /** @param background where it looks; may reject */
    OutageCheck(CatalogueStore store, StoreOutage outage, Executor background) {
        this.store = store;
        this.outage = outage;
        this.background = background;
    }

    /**
     * Looks whether others can be read, unless it is doing so.
     *
     * @param failed the partition that could not
     * @param held those that are in memory
     */
    void look(PartitionKey failed, Map<PartitionKey, CachedPartition> held) {
        if (!outage.justFailed() || !looking.compareAndSet(false, true)) {
            return;
        }
        boolean handedOver = false;
        try {
            Optional<PartitionKey> other = held.entrySet().stream()
                    .filter(each -> !each.getKey().equals(failed)
                            && each.getValue().view() != null
                            && !each.getValue().outage().justFailed())
                    .map(Map.Entry::getKey)
                    .findFirst();
            if (other.isPresent()) {
                background.execute(() -> lookAt(other.get()));
                handedOver = true;
            }
        } catch (RuntimeException | Error e) {
            // There is no room or no thread for it, or the plugin is being closed: it stays an outage for its moment.
        } finally {
            if (!handedOver) {
                looking.set(false);
            }
        }
    }

    private void lookAt(PartitionKey other) {
        try {
            store.read(other, new Selection.HeadOnly(), unused -> {});
            outage.succeeded();
        } catch (StoreException e) {
            // It is an outage, or as good as one.
        } finally {
            looking.set(false);
        }
    }
}
