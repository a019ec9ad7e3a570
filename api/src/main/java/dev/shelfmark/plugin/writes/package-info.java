/**
 * Writes on their way to the catalogue: one queue a partition, group commit, a deadline for each future.
 *
 * The plugin calls in; below lies the catalogue.
 */
@NullMarked
package dev.shelfmark.plugin.writes;

import org.jspecify.annotations.NullMarked;
