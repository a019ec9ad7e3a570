/** One door into Kafka's own package, for the model check; nothing else may be added here. */
@NullMarked
package org.apache.kafka.server.log.remote.metadata.storage;

import org.jspecify.annotations.NullMarked;
