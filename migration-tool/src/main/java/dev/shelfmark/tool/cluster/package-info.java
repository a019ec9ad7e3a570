/**
 * A cluster's record in the store, for every command that changes it: one place that knows what to do when the answer to a change is lost.
 *
 * {@code setup} and {@code migrate} call in; below lie {@code failure} and the stores' SPI.
 */
@NullMarked
package dev.shelfmark.tool.cluster;

import org.jspecify.annotations.NullMarked;
