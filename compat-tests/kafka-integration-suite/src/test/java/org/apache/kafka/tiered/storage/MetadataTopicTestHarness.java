package org.apache.kafka.tiered.storage;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManagerConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/**
 * For tests that begin by asking whether their topic is spread over all partitions of the topic that Kafka's own manager writes to. The
 * plugin has no such topic; here it is made, and stays empty, so that the rest of the test can be run.
 */
abstract class MetadataTopicTestHarness extends CatalogueTestHarness {

    MetadataTopicTestHarness(TieredStorageTestHarness test) {
        super(test);
    }

    @BeforeEach
    @Override
    public final void setUp(TestInfo testInfo) {
        super.setUp(testInfo);
        NewTopic topic = new NewTopic(
                TopicBasedRemoteLogMetadataManagerConfig.REMOTE_LOG_METADATA_TOPIC_NAME,
                numRemoteLogMetadataPartitions(),
                (short) 1);
        try (Admin admin =
                Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers(listenerName())))) {
            admin.createTopics(List.of(topic)).all().get(30, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the metadata topic was not created", e);
        }
    }
}
