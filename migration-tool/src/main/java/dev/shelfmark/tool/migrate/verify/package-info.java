/** Compares a catalogue with what Kafka's own cache makes of the metadata topic. */
@NullMarked
package dev.shelfmark.tool.migrate.verify;

import org.jspecify.annotations.NullMarked;
