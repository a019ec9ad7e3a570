/**
 * The part of the store SPI that brokers never use: the schema and cluster records, bulk loading, listings for audits and exports.
 *
 * The command calls in; a store implements it beside {@link dev.shelfmark.store.CatalogueStore}.
 */
@NullMarked
package dev.shelfmark.store.admin;

import org.jspecify.annotations.NullMarked;
