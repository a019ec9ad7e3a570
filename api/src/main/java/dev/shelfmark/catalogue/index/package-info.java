/**
 * One partition's live segments in memory: compact, immutable, searched by epoch and offset.
 *
 * The catalogue calls in through {@link dev.shelfmark.catalogue.index.PartitionIndex}; below lie the store's values only.
 */
@NullMarked
package dev.shelfmark.catalogue.index;

import org.jspecify.annotations.NullMarked;
