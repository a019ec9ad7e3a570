/** Tests of the package of the same name. */
@NullMarked
package dev.shelfmark.tool.migrate.cutover;

import org.jspecify.annotations.NullMarked;
