/**
 * Brings the history that Kafka's default metadata manager keeps in a topic into a catalogue: decode, fold, load, go on where it
 * was left.
 *
 * <p>The {@code import} command calls in; below lie the catalogue's rules, which alone decide what an event makes of a segment,
 * the store's {@link dev.shelfmark.store.BulkLoader} and the brokers.
 */
@NullMarked
package dev.shelfmark.migration.history;

import org.jspecify.annotations.NullMarked;
