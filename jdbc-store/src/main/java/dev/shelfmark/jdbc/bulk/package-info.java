/**
 * Bulk loading, for an import: {@code COPY} into the segments' table under a claim that only one loader holds.
 *
 * The administration calls in; below lie {@code partition} and {@code connection}.
 */
@NullMarked
package dev.shelfmark.jdbc.bulk;

import org.jspecify.annotations.NullMarked;
