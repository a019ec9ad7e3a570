/** Listings and the history, page by page, with an auditor's rights. */
@NullMarked
package dev.shelfmark.dynamodb.listing;

import org.jspecify.annotations.NullMarked;
