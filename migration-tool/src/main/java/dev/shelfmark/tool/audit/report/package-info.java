/** The audit as one HTML file. */
@NullMarked
package dev.shelfmark.tool.audit.report;

import org.jspecify.annotations.NullMarked;
