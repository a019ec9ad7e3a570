/**
 * Gives Kafka's own tests a catalogue. The stand-in for Kafka's manager calls in; below lies a store, in memory or PostgreSQL.
 */
@NullMarked
package dev.shelfmark.kafkasuite;

import org.jspecify.annotations.NullMarked;
