/**
 * The way from Kafka's own metadata topic to the catalogue and back, while brokers run: which of the two answers now, and how a write that meets the
 * switch reaches the one that answers afterwards.
 *
 * <p>{@link dev.shelfmark.plugin.bridge.Bridge} is what a broker calls in bridge mode; below lie Kafka's {@code TopicBasedRemoteLogMetadataManager},
 * found on the broker's class path, and {@link dev.shelfmark.plugin.CataloguePlugin}. docs/migration.md argues why it is safe.
 */
@NullMarked
package dev.shelfmark.plugin.bridge;

import org.jspecify.annotations.NullMarked;
