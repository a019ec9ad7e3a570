/**
 * Puts the brokers of Kafka's own tests on a catalogue in PostgreSQL. The tests' harness calls in; below lies the plugin.
 */
@NullMarked
package dev.shelfmark.kafkasuite;

import org.jspecify.annotations.NullMarked;
