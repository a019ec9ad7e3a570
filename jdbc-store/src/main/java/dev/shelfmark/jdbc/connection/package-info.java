/**
 * How the store reaches PostgreSQL: settings, the pool, statements, and the one place where a SQLSTATE becomes a store failure.
 *
 * Every other package of this module calls in; nothing of the module lies below.
 */
@NullMarked
package dev.shelfmark.jdbc.connection;

import org.jspecify.annotations.NullMarked;
