package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.internals.ChildFirstClassLoader;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The plugin as one jar works alone, by Kafka's own plugin class loader and on a class path, and shares with the broker what it must. */
@Timeout(120)
final class SingleJarIT {

    private static final Path JAR = Path.of(property("shelfmark.single.jar"));
    private static final String VERSION = property("shelfmark.version");
    private static final String MANAGER = "dev.shelfmark.CatalogueRemoteLogMetadataManager";

    private static String property(String name) {
        return Objects.requireNonNull(System.getProperty(name), "run by Maven only");
    }

    /** What a broker has, as far as the plugin goes: Kafka and SLF4J. */
    private static final class BrokerClasses extends ClassLoader {
        BrokerClasses() {
            super("broker", ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("org.apache.kafka.") || name.startsWith("org.slf4j.")) {
                return SingleJarIT.class.getClassLoader().loadClass(name);
            }
            throw new ClassNotFoundException(name);
        }
    }

    @Test
    void holdsNoClassThatTheBrokerShares() throws IOException {
        try (JarFile jar = new JarFile(JAR.toFile())) {
            assertThat(jar.stream().map(ZipEntry::getName).filter(name -> name.endsWith(".class")))
                    .isNotEmpty()
                    .allMatch(name -> name.startsWith("dev/shelfmark/")
                            || name.startsWith("org/postgresql/")
                            || name.startsWith("META-INF/versions/11/org/postgresql/"));
        }
    }

    @Test
    void worksInKafkasPluginClassLoader() throws Exception {
        try (URLClassLoader loader = new ChildFirstClassLoader(JAR.toString(), new BrokerClasses())) {
            becomesReadyAndTellsItsVersion(loader, "by-class-path-setting");
        }
    }

    @Test
    void worksOnTheBrokersClassPath() throws Exception {
        URL[] jar = {JAR.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(jar, new BrokerClasses())) {
            becomesReadyAndTellsItsVersion(loader, "on-class-path");
        }
    }

    private static void becomesReadyAndTellsItsVersion(ClassLoader loader, String cluster) throws Exception {
        TestDatabase database = TestServer.shared().database();
        database.execute("insert into shelfmark.cluster (cluster_id, state, revision, changed_at, changed_by, note)"
                + " values ('" + cluster + "', 'ready', 1, now(), 'test', 'new')");
        Map<String, Object> settings = new HashMap<>(database.settings("broker"));
        settings.putAll(
                Map.of("store", "jdbc", "cluster.id", cluster, "broker.id", "1", "cluster.state.poll.ms", "200"));
        TopicIdPartition partition = new TopicIdPartition(Uuid.randomUuid(), new TopicPartition("orders", 0));
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try (RemoteLogMetadataManager manager = (RemoteLogMetadataManager)
                loader.loadClass(MANAGER).getDeclaredConstructor().newInstance()) {
            manager.configure(settings);
            Awaitility.await("the plugin to be ready")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> manager.isReady(partition));
            assertThat(manager.listRemoteLogSegments(partition).hasNext()).isFalse();
            Awaitility.await("a heartbeat that names the version")
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(
                                    database.query("select version from shelfmark.broker_heartbeat where cluster_id = '"
                                            + cluster + "'"))
                            .isEqualTo(List.of(VERSION)));
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
