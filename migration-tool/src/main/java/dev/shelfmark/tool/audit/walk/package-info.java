/** Goes through partitions and segments one after another, filtered, in bounded memory. */
@NullMarked
package dev.shelfmark.tool.audit.walk;

import org.jspecify.annotations.NullMarked;
