/** Bulk loading, for an import: a lock, its progress, and batches under it. */
@NullMarked
package dev.shelfmark.dynamodb.bulk;

import org.jspecify.annotations.NullMarked;
