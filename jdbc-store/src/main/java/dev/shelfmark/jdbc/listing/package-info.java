/**
 * Listings and the history, page by page, with an auditor's rights.
 *
 * The provider hands it out; below lie {@code partition}, {@code cluster} and {@code connection}.
 */
@NullMarked
package dev.shelfmark.jdbc.listing;

import org.jspecify.annotations.NullMarked;
