/** Set up: prepare a store, upgrade its schema, register a cluster, show and change its state. */
@NullMarked
package dev.shelfmark.tool.setup;

import org.jspecify.annotations.NullMarked;
