package dev.shelfmark.dynamodb.partition;

import dev.shelfmark.dynamodb.items.HeadItem;
import dev.shelfmark.store.PartitionKey;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Versions that were once seen whole, or whose commit was acknowledged to us, which is the same. What is whole stays so; a read at
 * such a version need not look at its commit again, which matters after large commits. Bounded; forgetting costs a look.
 */
public final class FullyVisibleVersions {

    private static final int PARTITIONS = 10_000;

    private final Map<PartitionKey, Long> versions = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<PartitionKey, Long> eldest) {
            return size() > PARTITIONS;
        }
    };

    public synchronized void add(PartitionKey key, long version) {
        versions.merge(key, version, Math::max);
    }

    /** The head, without its commit's extent if there is nothing left to find out about it. */
    synchronized HeadItem known(PartitionKey key, HeadItem head) {
        Long version = versions.get(key);
        return version != null && version == head.version() ? head.withoutExtent() : head;
    }

    /** Another table may stand where the one that we knew was. */
    public synchronized void forget() {
        versions.clear();
    }
}
