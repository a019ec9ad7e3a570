/**
 * The store that keeps the catalogue in PostgreSQL.
 *
 * <p>The catalogue calls in through {@link dev.shelfmark.store.CatalogueStore}, the {@code shelfmark} command also through
 * {@link dev.shelfmark.store.admin.StoreAdministration}; {@link dev.shelfmark.jdbc.JdbcStoreProvider} is the only public way in. Below
 * lie Jdbi over HikariCP over pgjdbc, and Flyway, which only administration touches: a broker runs without its jars.
 */
@NullMarked
package dev.shelfmark.jdbc;

import org.jspecify.annotations.NullMarked;
