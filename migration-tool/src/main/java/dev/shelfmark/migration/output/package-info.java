/**
 * What the command prints: one small table, in the forms that people and scripts want.
 *
 * <p>Commands fill a {@link dev.shelfmark.migration.output.Table}; nothing of Kafka or of a store lies below.
 */
@NullMarked
package dev.shelfmark.migration.output;

import org.jspecify.annotations.NullMarked;
