/**
 * A window into Kafka's own package: what its metadata cache answers is visible only from here.
 *
 * <p>The {@code verify} command calls in; below lie Kafka's {@code RemotePartitionMetadataStore} and its cache. It works because the
 * command runs on one flat class path; on a broker with {@code class.path} it would not.
 */
@NullMarked
package org.apache.kafka.server.log.remote.metadata.storage;

import org.jspecify.annotations.NullMarked;
