/**
 * Kafka's rules about one partition, as pure functions: which change of a segment is legal, and what a batch of changes makes of a partition.
 *
 * Called by the catalogue and the import; below lie the store's values only. No thread, no store, no cache.
 */
@NullMarked
package dev.shelfmark.catalogue.rules;

import org.jspecify.annotations.NullMarked;
