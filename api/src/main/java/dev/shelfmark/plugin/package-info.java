/**
 * Kafka's face of the catalogue: settings, translation of records and errors, futures with deadlines, metrics. No rules.
 *
 * <p>Called by {@link dev.shelfmark.CatalogueRemoteLogMetadataManager}; below lies {@code dev.shelfmark.catalogue}. Only this package
 * knows Kafka's records and exceptions, and only it has threads.
 */
@NullMarked
package dev.shelfmark.plugin;

import org.jspecify.annotations.NullMarked;
