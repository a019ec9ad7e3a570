/** Waiting, without any waiting. */
@NullMarked
package dev.shelfmark.retry;

import org.jspecify.annotations.NullMarked;
