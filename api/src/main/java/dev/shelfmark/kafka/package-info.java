/**
 * Translation between Kafka's records and the catalogue's, and what Kafka configuration needs: shared by the plugin and the command.
 *
 * Knows Kafka's classes and the store's values; knows no rule, no setting and no thread.
 */
@NullMarked
package dev.shelfmark.kafka;

import org.jspecify.annotations.NullMarked;
