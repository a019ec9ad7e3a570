/** The audit as an operator runs it. */
@NullMarked
package dev.shelfmark.audit;

import org.jspecify.annotations.NullMarked;
