/**
 * {@code bin/quickstart}: the main job of a catalogue, shown on one machine in a minute.
 *
 * <p>{@link dev.shelfmark.quickstart.Quickstart} is the command; {@link dev.shelfmark.quickstart.Demonstration} is what it shows. Brokers
 * and the database come from {@code dev.shelfmark.compat}, and the plugin from the directory that a production broker would use.
 */
@NullMarked
package dev.shelfmark.quickstart;

import org.jspecify.annotations.NullMarked;
