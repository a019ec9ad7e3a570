/** The command as an operator runs it, on a store in memory and on brokers that a test describes. */
@NullMarked
package dev.shelfmark.tool;

import org.jspecify.annotations.NullMarked;
