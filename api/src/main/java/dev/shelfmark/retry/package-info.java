/**
 * How long to wait and when to give up: one deadline and one backoff for the plugin, the stores and the tool. Knows nothing of either.
 */
@NullMarked
package dev.shelfmark.retry;

import org.jspecify.annotations.NullMarked;
