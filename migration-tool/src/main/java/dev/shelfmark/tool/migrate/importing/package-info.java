/**
 * Imports what Kafka's default metadata manager keeps in its topic: decode, replay, load, resume from the last checkpoint. While one window of the
 * topic is loaded on a thread of its own, the next is read and decoded.
 *
 * Below lie the catalogue's rules, which alone decide what an event makes of a segment, and the store's
 * {@link dev.shelfmark.store.admin.BulkLoader}.
 */
@NullMarked
package dev.shelfmark.tool.migrate.importing;

import org.jspecify.annotations.NullMarked;
