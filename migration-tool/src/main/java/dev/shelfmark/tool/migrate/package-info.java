/** Migrate: from Kafka's metadata topic to the catalogue and back. One thin class a command, over {@code importing}, {@code verify}, {@code cutover} and {@code exporting}. */
@NullMarked
package dev.shelfmark.tool.migrate;

import org.jspecify.annotations.NullMarked;
