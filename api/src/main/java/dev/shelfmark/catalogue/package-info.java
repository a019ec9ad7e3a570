/**
 * The rules, once: which changes of a segment are legal, which segment answers a lookup, what a list holds, and how fresh an answer
 * from memory must be.
 *
 * <p>Called by the plugin on a broker's threads and by the {@code shelfmark} command; below lies the store SPI
 * ({@code dev.shelfmark.store}). Nothing here knows Kafka's classes, futures or a database.
 */
@NullMarked
package dev.shelfmark.catalogue;

import org.jspecify.annotations.NullMarked;
