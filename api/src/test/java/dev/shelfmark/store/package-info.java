/** The records of the catalogue, tested by themselves. */
@NullMarked
package dev.shelfmark.store;

import org.jspecify.annotations.NullMarked;
