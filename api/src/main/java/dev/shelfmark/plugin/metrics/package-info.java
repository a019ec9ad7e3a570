/**
 * What the plugin counts, and what it logs about failures.
 *
 * Called from the whole plugin; registers Kafka metrics and JMX beans.
 */
@NullMarked
package dev.shelfmark.plugin.metrics;

import org.jspecify.annotations.NullMarked;
