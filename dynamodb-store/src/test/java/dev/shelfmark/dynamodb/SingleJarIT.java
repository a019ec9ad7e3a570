package dev.shelfmark.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
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
                    .allMatch(name -> name.startsWith("dev/shelfmark/"));
        }
    }

    @Test
    void worksInKafkasPluginClassLoader() throws Exception {
        try (URLClassLoader loader = new ChildFirstClassLoader(JAR.toString(), new BrokerClasses())) {
            asksTheTable(loader);
        }
    }

    @Test
    void worksOnTheBrokersClassPath() throws Exception {
        URL[] jar = {JAR.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(jar, new BrokerClasses())) {
            asksTheTable(loader);
        }
    }

    /** The SDK's classes have other names in the jar, and are still found: a signed request arrives. */
    private static void asksTheTable(ClassLoader loader) throws Exception {
        Set<String> targets = ConcurrentHashMap.newKeySet();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            if (exchange.getRequestHeaders().getFirst("Authorization") != null) {
                targets.add(exchange.getRequestHeaders().getFirst("X-Amz-Target"));
            }
            byte[] answer = "{}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/x-amz-json-1.0");
            exchange.sendResponseHeaders(200, answer.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(answer);
            }
        });
        server.start();
        Map<String, Object> settings = new HashMap<>(Map.of(
                "dynamodb.region", "eu-central-1",
                "dynamodb.endpoint", "http://127.0.0.1:" + server.getAddress().getPort(),
                "dynamodb.credentials.access.key.id", "AKIDTEST",
                "dynamodb.credentials.secret.access.key", "of-no-worth"));
        settings.putAll(Map.of("store", "dynamodb", "cluster.id", "a-cluster", "broker.id", "1"));
        try (RemoteLogMetadataManager manager = (RemoteLogMetadataManager)
                loader.loadClass(MANAGER).getDeclaredConstructor().newInstance()) {
            assertThat(manager.getClass().getPackage().getImplementationVersion())
                    .isEqualTo(VERSION);
            manager.configure(settings);
            Awaitility.await("a request of the plugin")
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(
                            () -> assertThat(targets).anyMatch(target -> target.startsWith("DynamoDB_20120810.")));
        } finally {
            server.stop(0);
        }
    }
}
