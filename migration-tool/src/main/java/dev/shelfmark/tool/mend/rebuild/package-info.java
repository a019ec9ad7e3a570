/**
 * Makes a catalogue from what is in the remote storage: lists objects, groups them into segments, reads what describes each, compares it with the
 * catalogue's rows and commits what is missing.
 */
@NullMarked
package dev.shelfmark.tool.mend.rebuild;

import org.jspecify.annotations.NullMarked;
