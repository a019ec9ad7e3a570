/**
 * One partition: reading it, committing to it, purging what is over. The statements that a broker runs stand here.
 *
 * The store calls in; below lies {@code connection}.
 */
@NullMarked
package dev.shelfmark.jdbc.partition;

import org.jspecify.annotations.NullMarked;
