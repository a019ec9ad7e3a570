/**
 * What the command asks a Kafka cluster: its id, and the topic in which Kafka's default keeps the metadata.
 *
 * <p>Commands call in; below lies Kafka's own client. Kafka's exceptions end here, in
 * {@link dev.shelfmark.migration.brokers.KafkaErrors}.
 */
@NullMarked
package dev.shelfmark.migration.brokers;

import org.jspecify.annotations.NullMarked;
