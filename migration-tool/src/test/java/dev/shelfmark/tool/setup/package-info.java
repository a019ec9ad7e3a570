/** Tests of the package of the same name. */
@NullMarked
package dev.shelfmark.tool.setup;

import org.jspecify.annotations.NullMarked;
