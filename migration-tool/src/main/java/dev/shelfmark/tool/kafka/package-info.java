/**
 * What the command asks of a Kafka cluster: its id, its topics, and the topic in which Kafka's default keeps the metadata.
 *
 * Commands call in; below lies Kafka's own client. Kafka's exceptions end here, in {@link dev.shelfmark.tool.kafka.BrokerErrors}.
 */
@NullMarked
package dev.shelfmark.tool.kafka;

import org.jspecify.annotations.NullMarked;
