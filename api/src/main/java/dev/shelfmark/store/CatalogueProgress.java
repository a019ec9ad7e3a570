package dev.shelfmark.store;

import java.util.List;
import java.util.Set;

/**
 * Which catalogue of a cluster a database holds, and how far it has come.
 *
 * @param catalogueId a random id, in Kafka's textual form; a backup of the database has the same
 * @param replaces the ids of catalogues in whose place an operator accepted this one
 * @param brokers how far each broker has brought it, by broker id
 */
public record CatalogueProgress(String catalogueId, Set<String> replaces, List<BrokerProgress> brokers) {

    public CatalogueProgress {
        if (catalogueId.isEmpty()) {
            throw new IllegalArgumentException("catalogueId is empty");
        }
        replaces = Set.copyOf(replaces);
        brokers = List.copyOf(brokers);
    }
}
