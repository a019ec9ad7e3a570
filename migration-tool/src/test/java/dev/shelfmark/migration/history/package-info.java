/** Histories in memory, brought into a store in memory. */
@NullMarked
package dev.shelfmark.migration.history;

import org.jspecify.annotations.NullMarked;
