/**
 * The {@code shelfmark} command: prepares a store, registers clusters, brings history in and out.
 *
 * <p>An operator calls in; below lie the catalogue, the store SPI and Kafka's own client. One class per command, each thin:
 * what a command does stands in the packages beneath.
 */
@NullMarked
package dev.shelfmark.migration;

import org.jspecify.annotations.NullMarked;
