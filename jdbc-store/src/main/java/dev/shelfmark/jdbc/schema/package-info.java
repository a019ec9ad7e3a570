/**
 * The schema: its migrations, its version, the rights that each role needs, and what is checked when a broker starts.
 *
 * The store and its administration call in; below lies {@code connection}.
 */
@NullMarked
package dev.shelfmark.jdbc.schema;

import org.jspecify.annotations.NullMarked;
