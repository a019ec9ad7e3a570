/**
 * What stands in for Kafka's own metadata manager in Kafka's own tests, which know it by this package. They call in; below lies the plugin.
 */
@NullMarked
package org.apache.kafka.server.log.remote.metadata.storage;

import org.jspecify.annotations.NullMarked;
