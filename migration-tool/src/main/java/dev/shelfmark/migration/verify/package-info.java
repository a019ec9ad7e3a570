/**
 * Compares a catalogue with what Kafka's own cache makes of the metadata topic.
 *
 * <p>The {@code verify} command calls in; below lie Kafka's cache, the history's fold, the catalogue and its store.
 */
@NullMarked
package dev.shelfmark.migration.verify;

import org.jspecify.annotations.NullMarked;
