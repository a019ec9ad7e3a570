package dev.shelfmark.compat.versions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One jar for every supported broker: the plugin, as it is built, with the API classes of each version and nothing newer. */
class SupportedVersionsTest {

    private static final Path APIS = Path.of("target", "kafka-apis");
    private static final String MONITORABLE = "dev.shelfmark.MonitorableCatalogueRemoteLogMetadataManager";

    @ParameterizedTest
    @ValueSource(strings = {"4.0", "4.1", "4.2", "4.3"})
    void does_the_same_on_an_older_broker_as_on_the_reference(String version) throws Exception {
        List<String> reference = new PluginTour().call();

        assertThat(reference)
                .contains(
                        "ready before it is registered: false",
                        "lookup before it is registered: org.apache.kafka.common.errors.ReplicaNotAvailableException",
                        "highest: Optional[4]",
                        "size: 300",
                        "unknown: future failed with"
                                + " org.apache.kafka.server.log.remote.storage.RemoteResourceNotFoundException",
                        "list after the deletion: false")
                .hasSize(12);
        try (URLClassLoader older = loader(version)) {
            assertThat(older.loadClass("org.apache.kafka.common.Uuid").getClassLoader())
                    .isSameAs(older);
            assertThat(tour(older)).isEqualTo(reference);
        }
    }

    /** Kafka 3.9 has neither the flag of the transaction index nor the questions that came with 4.0; all else is the same. */
    @Test
    void works_on_kafka_3_9_without_what_that_lacks() throws Exception {
        List<String> reference = new PluginTour().call();
        try (URLClassLoader older = loader("3.9")) {
            List<String> seen = tour(older);
            assertThat(seen)
                    .hasSameSizeAs(reference)
                    .anyMatch(line -> line.startsWith("lookup: RemoteLogSegmentMetadata"));
            // Without the flag each segment may have a transaction index, so the next one that may is there.
            assertThat(seen.stream().filter(line -> !line.startsWith("next: ")).toList())
                    .isEqualTo(reference.stream()
                            .filter(line -> !line.startsWith("next: "))
                            .map(line -> line.replace(", txnIdxEmpty=true", ""))
                            .toList());
        }
    }

    @Test
    void needs_the_broker_metrics_interface_only_in_the_class_that_offers_it() throws Exception {
        try (URLClassLoader first = loader("4.0");
                URLClassLoader second = loader("4.1")) {
            assertThatThrownBy(() -> first.loadClass(MONITORABLE)).isInstanceOf(NoClassDefFoundError.class);
            assertThatCode(() -> second.loadClass(MONITORABLE)).doesNotThrowAnyException();
        }
    }

    @SuppressWarnings("unchecked")
    private static List<String> tour(ClassLoader loader) throws Exception {
        Object tour = loader.loadClass(PluginTour.class.getName())
                .getDeclaredConstructor()
                .newInstance();
        return ((Callable<List<String>>) tour).call();
    }

    /** Kafka's API jars of a version, the plugin, and what the tour itself needs; none of this class path's Kafka. */
    private static URLClassLoader loader(String version) throws IOException {
        List<URL> urls = new ArrayList<>();
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(APIS.resolve(version), "*.jar")) {
            for (Path jar : jars) {
                urls.add(jar.toUri().toURL());
            }
        }
        assertThat(urls).as("jars in %s", APIS.resolve(version)).hasSize(2);
        for (Class<?> with : List.of(
                dev.shelfmark.CatalogueRemoteLogMetadataManager.class,
                com.github.benmanes.caffeine.cache.Caffeine.class,
                org.slf4j.Logger.class,
                PluginTour.class)) {
            urls.add(with.getProtectionDomain().getCodeSource().getLocation());
        }
        return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }
}
