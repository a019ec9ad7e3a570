/** Goes through a catalogue: partitions, then their segments, in bounded memory. */
@NullMarked
package dev.shelfmark.audit.walk;

import org.jspecify.annotations.NullMarked;
