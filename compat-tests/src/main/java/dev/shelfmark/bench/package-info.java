/**
 * {@code bin/bench}: Kafka's own catalogue and Shelfmark's, measured side by side.
 *
 * <p>{@link dev.shelfmark.bench.Bench} is the command. A {@link dev.shelfmark.bench.TestBed} holds a real broker and a real database with the
 * same catalogues in both; {@link dev.shelfmark.bench.Probe} is the main class of a JVM that measures one side of them through Kafka's
 * {@code RemoteLogMetadataManager}, as a broker would use it, and checks every answer; {@link dev.shelfmark.bench.Comparison} holds the two
 * sides' numbers against each other and against the bounds.
 */
@NullMarked
package dev.shelfmark.bench;

import org.jspecify.annotations.NullMarked;
