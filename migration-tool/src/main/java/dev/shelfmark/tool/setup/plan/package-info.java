/** What a catalogue for a cluster of a given size needs, from measured sizes. */
@NullMarked
package dev.shelfmark.tool.setup.plan;

import org.jspecify.annotations.NullMarked;
