/** What is wrong in a catalogue: a class for each kind of anomaly, its explanation in one place. */
@NullMarked
package dev.shelfmark.audit.check;

import org.jspecify.annotations.NullMarked;
