/** Tests of the package of the same name. */
@NullMarked
package dev.shelfmark.tool.migrate;

import org.jspecify.annotations.NullMarked;
