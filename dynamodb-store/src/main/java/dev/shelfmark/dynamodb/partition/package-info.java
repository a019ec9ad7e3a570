/** One partition: reading it, and committing to it in one transaction or several. The store calls in; below lie {@code items} and {@code client}. */
@NullMarked
package dev.shelfmark.dynamodb.partition;

import org.jspecify.annotations.NullMarked;
