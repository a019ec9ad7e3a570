/** Finds anomalies: one class a rule. */
@NullMarked
package dev.shelfmark.tool.audit.check;

import org.jspecify.annotations.NullMarked;
