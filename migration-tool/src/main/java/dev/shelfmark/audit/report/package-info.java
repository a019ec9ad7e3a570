/** One self-contained HTML file about a catalogue. */
@NullMarked
package dev.shelfmark.audit.report;

import org.jspecify.annotations.NullMarked;
