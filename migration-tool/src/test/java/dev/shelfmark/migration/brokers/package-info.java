/** A cluster that a test describes. */
@NullMarked
package dev.shelfmark.migration.brokers;

import org.jspecify.annotations.NullMarked;
