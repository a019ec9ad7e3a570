package dev.shelfmark.plugin.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.CatalogueRemoteLogMetadataManager;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.StoreException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.ReplicaNotAvailableException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a broker does in the background goes on, whatever one turn of it comes to. */
class BackgroundWorkTest {

    private static final String BOOTSTRAP = "remote.log.metadata.common.client.bootstrap.servers";
    private static final Duration SOON = Duration.ofSeconds(10);

    private final String cluster = "cluster-" + UUID.randomUUID();
    private final SwitchableProvider.Server server = SwitchableProvider.server(cluster);
    private final CatalogueRemoteLogMetadataManager broker = new CatalogueRemoteLogMetadataManager();
    private final TopicIdPartition partition = new TopicIdPartition(Uuid.randomUuid(), new TopicPartition("orders", 0));

    @AfterEach
    void close() {
        broker.close();
    }

    private void start(String... more) {
        assertThat(server.database.putCluster(
                        new ClusterRecord(cluster, ClusterState.READY, 1, Instant.EPOCH, "test", "")))
                .isTrue();
        Map<String, Object> settings = new HashMap<>(Map.of(
                "store",
                "switchable",
                "switchable.server",
                cluster,
                "cluster.id",
                cluster,
                "broker.id",
                1,
                "log.dir",
                "/nowhere",
                "cluster.state.poll.ms",
                "100"));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        broker.configure(settings);
    }

    private void awaitReady() {
        Awaitility.await().atMost(SOON).until(() -> broker.isReady(partition));
    }

    /** Such as the first use of a class of a damaged jar, or a moment without memory. */
    @Test
    void an_error_ends_one_look_and_not_all_of_them() {
        AtomicInteger looks = new AtomicInteger();
        server.beforeLook = () -> {
            if (looks.incrementAndGet() == 1) {
                throw new NoClassDefFoundError("once");
            }
        };

        start();

        awaitReady();
    }

    @Test
    void an_error_ends_one_purge_and_not_all_of_them() {
        AtomicInteger purges = new AtomicInteger();
        server.beforePurge = () -> {
            if (purges.incrementAndGet() == 1) {
                throw new NoClassDefFoundError("once");
            }
        };

        start("purge.interval.ms", "1000");

        Awaitility.await().atMost(SOON).until(() -> purges.get() > 1);
    }

    /** A failure that can't even be told, such as for want of memory: to make its message fails too. */
    static final class Untold extends Error {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new Untold();
        }
    }

    @Test
    void a_failure_that_can_not_be_told_ends_one_purge_and_not_all_of_them() {
        AtomicInteger purges = new AtomicInteger();
        server.beforePurge = () -> {
            if (purges.incrementAndGet() == 1) {
                throw new Untold();
            }
        };

        start("purge.interval.ms", "1000");

        Awaitility.await().atMost(SOON).until(() -> purges.get() > 1);
    }

    @Test
    void a_failure_that_can_not_be_told_ends_one_look_and_not_all_of_them() {
        AtomicInteger looks = new AtomicInteger();
        server.beforeLook = () -> {
            if (looks.incrementAndGet() == 1) {
                throw new Untold();
            }
        };

        start();

        awaitReady();
    }

    private static boolean beans() throws Exception {
        return !ManagementFactory.getPlatformMBeanServer()
                .queryNames(new ObjectName("dev.shelfmark:type=catalogue,broker=7171,*"), null)
                .isEmpty();
    }

    @Test
    void a_store_that_can_not_be_closed_leaves_no_beans_behind() throws Exception {
        start("broker.id", "7171");
        Awaitility.await().atMost(SOON).until(BackgroundWorkTest::beans);
        server.beforeClose = () -> {
            throw new IllegalStateException("can't be closed");
        };

        try {
            broker.close();
        } catch (IllegalStateException told) {
            assertThat(told).hasMessage("can't be closed");
        }

        assertThat(beans()).isFalse();
    }

    /** The gate stands open from one look to the next, also when nothing may be answered from memory in an outage. */
    @ParameterizedTest
    @ValueSource(ints = {0, 300})
    void between_two_looks_the_catalogue_stays_ready(int lookTakesMs) throws Exception {
        start("cache.outage.max.staleness.ms", "0");
        awaitReady();
        server.beforeLook = () -> {
            try {
                TimeUnit.MILLISECONDS.sleep(lookTakesMs);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        int closed = 0;
        for (long end = System.nanoTime() + Duration.ofSeconds(4).toNanos(); System.nanoTime() < end; ) {
            closed += broker.isReady(partition) ? 0 : 1;
            TimeUnit.MICROSECONDS.sleep(100);
        }

        assertThat(closed).as("looks at a gate that was closed").isZero();
    }

    /** The database would refuse a login that nobody has, for as long as the broker runs. */
    @Test
    void a_placeholder_that_no_config_provider_has_replaced_is_refused_by_name() {
        assertThatThrownBy(() -> start("switchable.server", "${file:/run/secrets/shelfmark:password}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("rlmm.config.switchable.server")
                .hasMessageContaining("config.providers.file.class")
                .hasMessageNotContaining("/run/secrets");
    }

    /** Such as a class that a damaged jar lacks. */
    @Test
    void an_error_of_every_look_is_told_once() {
        AtomicInteger looks = new AtomicInteger();
        server.beforeLook = () -> {
            looks.incrementAndGet();
            throw new NoClassDefFoundError("always");
        };
        String log = logWhile(() -> {
            start();
            Awaitility.await().atMost(SOON).until(() -> looks.get() > 5);
        });

        assertThat(log.lines().filter(line -> line.contains("failed unexpectedly")))
                .hasSize(1);
    }

    /** A pool says how long it waited, which is never the same, and now and then has the driver's own word. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "bridge"})
    void an_outage_at_the_start_is_told_once_however_long_each_attempt_took(String mode) {
        AtomicInteger looks = new AtomicInteger();
        server.beforeLook = () -> {
            int look = looks.incrementAndGet();
            throw new StoreException.Unavailable(
                    look % 3 == 0
                            ? "Connection attempt timed out"
                            : "not available, request timed out after " + (5_000 + look) + "ms",
                    null);
        };
        String log = logWhile(() -> {
            start("migration.mode", mode, BOOTSTRAP, "localhost:9");
            Awaitility.await().atMost(SOON).until(() -> looks.get() > 5);
        });

        assertThat(log.lines().filter(line -> line.contains("timed out after"))).hasSize(1);
        assertThat(log.lines().filter(line -> line.contains("attempt timed out")))
                .hasSize(1);
    }

    private static String logWhile(Runnable what) {
        PrintStream before = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            what.run();
        } finally {
            System.setErr(before);
        }
        return log.toString(StandardCharsets.UTF_8);
    }

    /** Else failures would be more than calls. */
    @Test
    void a_call_that_is_not_answered_is_counted_as_a_call_too() {
        server.down = true;
        start();

        assertThatThrownBy(() -> broker.remoteLogSegmentMetadata(partition, 0, 0))
                .isInstanceOf(ReplicaNotAvailableException.class);
        assertThatThrownBy(() -> broker.listRemoteLogSegments(partition))
                .isInstanceOf(ReplicaNotAvailableException.class);

        Awaitility.await().atMost(SOON).ignoreExceptions().untilAsserted(() -> {
            for (String call : List.of("lookup", "list")) {
                assertThat(attribute("call-failures-total", call)).as(call).isEqualTo(1.0);
                assertThat(attribute("calls-total", call)).as(call).isEqualTo(1.0);
            }
        });
    }

    private static double attribute(String name, String call) throws JMException {
        Object value = ManagementFactory.getPlatformMBeanServer()
                .getAttribute(new ObjectName("dev.shelfmark:type=catalogue,broker=1,operation=" + call), name);
        return ((Number) value).doubleValue();
    }
}
