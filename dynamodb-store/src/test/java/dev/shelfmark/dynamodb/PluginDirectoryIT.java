package dev.shelfmark.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.StoreProvider;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The directory that goes onto a broker holds what is needed, and nothing that the broker has. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
final class PluginDirectoryIT {

    private static final Path DIRECTORY =
            Path.of(Objects.requireNonNull(System.getProperty("shelfmark.plugin.directory"), "run by Maven only"));

    private static final long LARGEST = 13L * 1024 * 1024;

    private HttpServer server;

    /** Knows no item, as far as DynamoDB goes, and gives no credentials, as far as STS goes. */
    @BeforeAll
    void startServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            byte[] answer = "{}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/x-amz-json-1.0");
            exchange.sendResponseHeaders(200, answer.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(answer);
            }
        });
        server.start();
    }

    @AfterAll
    void stopServer() {
        server.stop(0);
    }

    private static List<Path> jars() throws IOException {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.filter(file -> file.toString().endsWith(".jar")).toList();
        }
    }

    @Test
    void holdsTheSdkOneHttpClientAndOurs() throws IOException {
        assertThat(jars())
                .extracting(jar -> jar.getFileName().toString().replaceFirst("-[0-9]+\\..*", ""))
                .containsExactlyInAnyOrder(
                        "annotations",
                        "apache5-client",
                        "auth",
                        "aws-core",
                        "aws-json-protocol",
                        "aws-query-protocol",
                        "caffeine",
                        "checksums",
                        "checksums-spi",
                        "dynamodb",
                        "endpoints-spi",
                        "http-auth",
                        "http-auth-aws",
                        "http-auth-spi",
                        "http-client-spi",
                        "httpclient5",
                        "httpcore5",
                        "httpcore5-h2",
                        "identity-spi",
                        "json-utils",
                        "metrics-spi",
                        "profiles",
                        "protocol-core",
                        "reactive-streams",
                        "regions",
                        "retries",
                        "retries-spi",
                        "sdk-core",
                        "shelfmark-api",
                        "shelfmark-dynamodb-store",
                        "sts",
                        "third-party-jackson-core",
                        "utils",
                        "utils-lite");
    }

    @Test
    void isNotLargerThanItWas() throws IOException {
        long size = 0;
        for (Path jar : jars()) {
            size += Files.size(jar);
        }
        assertThat(size).isLessThan(LARGEST);
    }

    @Test
    void holdsNoClassThatTheBrokerShares() throws IOException {
        for (Path jar : jars()) {
            try (JarFile file = new JarFile(jar.toFile())) {
                assertThat(file.stream().map(ZipEntry::getName))
                        .as(jar.toString())
                        .noneMatch(name -> name.startsWith("org/slf4j/")
                                || name.startsWith("org/apache/kafka/")
                                || name.startsWith("org/jspecify/")
                                || name.startsWith("io/netty/")
                                || name.startsWith("scala/"));
            }
        }
    }

    @Test
    void namesItsVersion() throws IOException {
        for (Path jar : jars()) {
            if (jar.getFileName().toString().startsWith("shelfmark-")) {
                try (JarFile file = new JarFile(jar.toFile())) {
                    assertThat(file.getManifest().getMainAttributes().getValue("Implementation-Version"))
                            .as(jar.toString())
                            .isEqualTo(System.getProperty("shelfmark.version"));
                }
            }
        }
    }

    @Test
    void isThereAsAnArchiveToo() {
        assertThat(Path.of(DIRECTORY + ".tar.gz")).isNotEmptyFile();
    }

    @Test
    void worksInAClassLoaderOfItsOwn() throws IOException {
        try (ChildFirst loader = new ChildFirst(urls())) {
            try (CatalogueStore store = open(loader, Map.of())) {
                assertThat(store.cluster("nobody")).isEmpty();
                assertThatThrownBy(store::verify).isInstanceOf(StoreException.SchemaMismatch.class);
            }
            assertThatThrownBy(() -> loader.loadClass("io.netty.channel.Channel"))
                    .isInstanceOf(ClassNotFoundException.class);
        }
    }

    /** The class behind it is looked for by the thread's class loader, which on a broker knows nothing of the SDK. */
    @Test
    void findsWebIdentitiesInAClassLoaderOfItsOwn() throws IOException {
        try (ChildFirst loader = new ChildFirst(urls());
                CatalogueStore store = open(
                        loader,
                        Map.of(
                                "dynamodb.credentials.access.key.id", "",
                                "dynamodb.credentials.secret.access.key", "",
                                "dynamodb.credentials.role.arn", "arn:aws:iam::123456789012:role/shelfmark",
                                "dynamodb.credentials.web.identity.token.file", "/no/such/token"))) {
            assertThatThrownBy(() -> store.cluster("nobody"))
                    .isInstanceOf(StoreException.class)
                    .hasStackTraceContaining("/no/such/token");
        }
    }

    private CatalogueStore open(ClassLoader loader, Map<String, String> more) {
        StoreProvider provider = ServiceLoader.load(StoreProvider.class, loader).stream()
                .filter(found -> found.type().getClassLoader() == loader)
                .map(ServiceLoader.Provider::get)
                .findFirst()
                .orElseThrow();
        Map<String, String> settings = new HashMap<>(Map.of(
                "dynamodb.region", "eu-central-1",
                "dynamodb.endpoint", "http://127.0.0.1:" + server.getAddress().getPort(),
                "dynamodb.credentials.access.key.id", "AKIDTEST",
                "dynamodb.credentials.secret.access.key", "of-no-worth"));
        settings.putAll(more);
        return provider.open(
                new StoreContext(provider.configDef().parse(settings), Retention.NONE, "isolated", StoreListener.NONE));
    }

    private static List<URL> urls() throws IOException {
        List<URL> urls = new ArrayList<>();
        for (Path jar : jars()) {
            urls.add(jar.toUri().toURL());
        }
        return urls;
    }

    /** As a broker loads it: child first, Kafka and SLF4J from above, no SDK from above. */
    private static final class ChildFirst extends URLClassLoader {
        ChildFirst(List<URL> jars) {
            super(jars.toArray(URL[]::new), PluginDirectoryIT.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                boolean shared = name.startsWith("java.")
                        || name.startsWith("javax.")
                        || name.startsWith("org.slf4j.")
                        || name.startsWith("org.apache.kafka.")
                        || name.startsWith("jdk.")
                        || name.startsWith("org.ietf.")
                        || name.startsWith("dev.shelfmark.store.");
                if (loaded == null && !shared) {
                    loaded = findClass(name);
                }
                return loaded == null ? super.loadClass(name, resolve) : loaded;
            }
        }
    }
}
