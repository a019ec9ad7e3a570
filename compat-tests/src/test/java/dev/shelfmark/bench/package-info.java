/** The bench runs, and tells a broken bound from one that holds. */
@NullMarked
package dev.shelfmark.bench;

import org.jspecify.annotations.NullMarked;
