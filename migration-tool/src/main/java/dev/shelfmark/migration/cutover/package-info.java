/**
 * The switch between Kafka's metadata topic and the catalogue, thrown from outside: the cluster's record, the brokers that must acknowledge it, and what
 * has to be true before it moves.
 *
 * <p>The commands {@code ready} and {@code bridged} call in; below lie the store's administration, the brokers' client, the import and the
 * verification.
 */
@NullMarked
package dev.shelfmark.migration.cutover;

import org.jspecify.annotations.NullMarked;
