/**
 * The store SPI: a few atomic primitives over plain records, without any of Kafka's rules.
 *
 * <p>The catalogue ({@code dev.shelfmark.catalogue}) is the only caller on a broker; it decides what may change and what
 * an answer is. Below lie the back ends, one module each, found by {@link dev.shelfmark.store.StoreProvider#name()}. Every
 * sentence of {@link dev.shelfmark.store.CatalogueStore}'s Javadoc has a test in the compatibility suite.
 */
@NullMarked
package dev.shelfmark.store;

import org.jspecify.annotations.NullMarked;
