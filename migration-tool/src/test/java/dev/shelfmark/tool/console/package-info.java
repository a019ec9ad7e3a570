/** Tests of the package of the same name. */
@NullMarked
package dev.shelfmark.tool.console;

import org.jspecify.annotations.NullMarked;
