/** Cutting over and rolling back: moves the cluster's record once every broker has acknowledged that no write is under way, and checks first what must be true. */
@NullMarked
package dev.shelfmark.tool.migrate.cutover;

import org.jspecify.annotations.NullMarked;
