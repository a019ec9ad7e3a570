/**
 * The compatibility suite: what every {@link dev.shelfmark.store.CatalogueStore} has to keep, as tests that a store's own
 * module extends, one abstract class per theme.
 *
 * <p>A store brings a {@link dev.shelfmark.compat.StoreBackEnd} and names the themes, a line each; JUnit calls in. Below lies
 * only the store SPI: no test here knows a database.
 */
@NullMarked
package dev.shelfmark.compat;

import org.jspecify.annotations.NullMarked;
