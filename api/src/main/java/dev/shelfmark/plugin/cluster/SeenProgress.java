package dev.shelfmark.plugin.cluster;

import dev.shelfmark.store.BrokerProgress;
import dev.shelfmark.store.CatalogueProgress;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a broker has seen of its cluster's catalogue.
 *
 * @param catalogueId which catalogue
 * @param replaced those that it has seen before that one
 * @param authoritative whether the catalogue, and not Kafka's topic, was the source of truth then
 * @param counters each broker's counter, by broker id
 */
record SeenProgress(
        String catalogueId, Set<String> replaced, boolean authoritative, NavigableMap<Integer, Long> counters) {

    SeenProgress {
        replaced = Set.copyOf(replaced);
        counters = Collections.unmodifiableNavigableMap(new TreeMap<>(counters));
    }

    /** What is seen when nothing was seen before. */
    static SeenProgress of(CatalogueProgress store, boolean authoritative) {
        return new SeenProgress(store.catalogueId(), store.replaces(), authoritative, counters(store));
    }

    static NavigableMap<Integer, Long> counters(CatalogueProgress store) {
        NavigableMap<Integer, Long> counters = new TreeMap<>();
        store.brokers().forEach(broker -> counters.put(broker.brokerId(), broker.counter()));
        return counters;
    }

    /** Every catalogue that was seen. */
    Set<String> ids() {
        Set<String> ids = new TreeSet<>(replaced);
        ids.add(catalogueId);
        return ids;
    }

    /** The same after a look at a catalogue that did not go back. */
    SeenProgress then(CatalogueProgress store, boolean nowAuthoritative) {
        Set<String> before = new TreeSet<>(store.replaces());
        before.addAll(ids());
        before.remove(store.catalogueId());
        return new SeenProgress(store.catalogueId(), before, nowAuthoritative, counters(store));
    }

    /** The same after this broker raised its counter. */
    SeenProgress counted(int brokerId, long counter) {
        NavigableMap<Integer, Long> next = new TreeMap<>(counters);
        next.put(brokerId, counter);
        return new SeenProgress(catalogueId, replaced, authoritative, next);
    }

    /** Why a catalogue is older than this, or another; empty when it is neither. */
    Optional<String> contradicts(CatalogueProgress store) {
        if (!store.catalogueId().equals(catalogueId)) {
            return store.replaces().contains(catalogueId)
                    ? Optional.empty()
                    : Optional.of("the database holds the catalogue " + store.catalogueId()
                            + ", but this broker has worked with " + catalogueId);
        }
        NavigableMap<Integer, Long> found = counters(store);
        return counters.entrySet().stream()
                .filter(seen -> found.getOrDefault(seen.getKey(), 0L) < seen.getValue())
                .findFirst()
                .map(seen -> "the database went back: broker " + seen.getKey() + "'s counter of changes is "
                        + found.getOrDefault(seen.getKey(), 0L) + ", and this broker has seen it at "
                        + seen.getValue());
    }

    /** What a broker says when the catalogue that it is shown is not the one it has seen. */
    BrokerProgress notice(int brokerId, CatalogueProgress store, String reason) {
        long counter = counters(store).getOrDefault(brokerId, 0L);
        return new BrokerProgress(brokerId, counter, new BrokerProgress.Regression(store.catalogueId(), ids(), reason));
    }
}
