/** Tests of the package of the same name. */
@NullMarked
package dev.shelfmark.tool.migrate.importing;

import org.jspecify.annotations.NullMarked;
