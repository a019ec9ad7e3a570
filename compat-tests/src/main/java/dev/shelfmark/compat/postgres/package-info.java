/**
 * A PostgreSQL for the suite: a server that is given, else one in Docker, else one from the binaries that Maven brings. The suite's
 * PostgreSQL tests call in; below lie the server's processes.
 */
@NullMarked
package dev.shelfmark.compat.postgres;

import org.jspecify.annotations.NullMarked;
