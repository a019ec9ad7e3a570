/** The compatibility suite on the PostgreSQL store. Called by the build; below lies a real server. */
@NullMarked
package dev.shelfmark.compat.postgres;

import org.jspecify.annotations.NullMarked;
