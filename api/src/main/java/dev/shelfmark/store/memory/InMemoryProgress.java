package dev.shelfmark.store.memory;

import dev.shelfmark.store.BrokerProgress;
import dev.shelfmark.store.CatalogueProgress;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** One cluster's {@link CatalogueProgress}. Guarded by its database. */
final class InMemoryProgress {

    private String id = "";
    private Set<String> replaces = Set.of();
    private final NavigableMap<Integer, BrokerProgress> brokers = new TreeMap<>();

    Optional<CatalogueProgress> found() {
        return id.isEmpty()
                ? Optional.empty()
                : Optional.of(new CatalogueProgress(id, replaces, List.copyOf(brokers.values())));
    }

    void begin(String first) {
        if (id.isEmpty()) {
            id = first;
        }
    }

    boolean accept(Optional<String> current, String next, Set<String> accepted) {
        if (!id.equals(current.orElse(""))) {
            return false;
        }
        id = next;
        replaces = Set.copyOf(accepted);
        return true;
    }

    void put(BrokerProgress progress) {
        brokers.put(progress.brokerId(), progress);
    }
}
