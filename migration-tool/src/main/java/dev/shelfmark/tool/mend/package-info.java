/** Commands that bring a catalogue and its remote storage back together. */
@NullMarked
package dev.shelfmark.tool.mend;

import org.jspecify.annotations.NullMarked;
