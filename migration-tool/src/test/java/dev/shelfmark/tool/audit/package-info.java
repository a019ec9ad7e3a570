/** Tests of the package of the same name. */
@NullMarked
package dev.shelfmark.tool.audit;

import org.jspecify.annotations.NullMarked;
