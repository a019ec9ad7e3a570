package dev.shelfmark.plugin.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.CatalogueRemoteLogMetadataManager;
import dev.shelfmark.plugin.bridge.SwitchableProvider;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many write the highest number for "never": what can't be counted in nanoseconds is refused at start-up, not with every call. */
class DurationSettingsTest {

    private final CatalogueRemoteLogMetadataManager broker = new CatalogueRemoteLogMetadataManager();

    @AfterEach
    void close() {
        broker.close();
    }

    private static List<String> durations() {
        return RlmmConfig.configDef().configKeys().values().stream()
                .filter(key -> key.type == ConfigDef.Type.LONG && key.name.endsWith(".ms"))
                .map(key -> key.name)
                .toList();
    }

    private void configure(Map<String, String> durations) {
        Map<String, Object> values = new HashMap<>(
                Map.of("store", "switchable", "switchable.server", "durations", "cluster.id", "lkc-1", "broker.id", 1));
        values.putAll(durations);
        broker.configure(values);
    }

    @ParameterizedTest
    @MethodSource("durations")
    void of_the_highest_number_is_refused_by_name(String key) {
        assertThatThrownBy(() -> configure(Map.of(key, Long.toString(Long.MAX_VALUE))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(key);
    }

    @Test
    void of_a_hundred_years_do_no_harm() {
        TopicIdPartition partition = new TopicIdPartition(Uuid.randomUuid(), 0, "orders");
        SwitchableProvider.server("durations")
                .database
                .putCluster(new ClusterRecord("lkc-1", ClusterState.READY, 1, Instant.EPOCH, "test", ""));
        configure(durations().stream()
                .filter(key -> !Set.of(RlmmConfig.CLUSTER_STATE_POLL_MS, RlmmConfig.MIGRATION_LEASE_MS)
                        .contains(key))
                .collect(Collectors.toMap(key -> key, key -> Long.toString(36_500L * 24 * 60 * 60 * 1_000))));
        broker.onPartitionLeadershipChanges(Set.of(partition), Set.of());
        Awaitility.await().until(() -> broker.isReady(partition));

        assertThat(broker.addRemoteLogSegmentMetadata(new RemoteLogSegmentMetadata(
                        new RemoteLogSegmentId(partition, Uuid.randomUuid()), 0, 9, -1, 1, 1, 1, Map.of(0, 0L))))
                .succeedsWithin(Duration.ofSeconds(10));
        for (int i = 0; i < 2; i++) {
            assertThatCode(() -> {
                        assertThat(broker.remoteLogSegmentMetadata(partition, 0, 5))
                                .isEmpty();
                        assertThat(broker.listRemoteLogSegments(partition)).hasNext();
                    })
                    .doesNotThrowAnyException();
        }
    }
}
