/**
 * Brings the history that Kafka's default metadata manager keeps in a topic into a catalogue: decode, fold, load, go on where it
 * was left. While one window of the topic is loaded, on a thread of its own, the next is read and decoded.
 *
 * <p>The {@code import} command calls in; below lie the catalogue's rules, which alone decide what an event makes of a segment,
 * the store's {@link dev.shelfmark.store.BulkLoader} and the brokers.
 */
@NullMarked
package dev.shelfmark.migration.history;

import org.jspecify.annotations.NullMarked;
