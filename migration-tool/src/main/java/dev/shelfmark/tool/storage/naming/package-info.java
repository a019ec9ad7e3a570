/** How commands are told, or know, which objects belong to a segment: a layout by its name, or a pattern that an operator gives. */
@NullMarked
package dev.shelfmark.tool.storage.naming;

import org.jspecify.annotations.NullMarked;
