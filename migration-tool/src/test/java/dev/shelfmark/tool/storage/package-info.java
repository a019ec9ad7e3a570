/** Tests of the package of the same name. */
@NullMarked
package dev.shelfmark.tool.storage;

import org.jspecify.annotations.NullMarked;
