package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.StoreProvider;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The directory that goes onto a broker holds what is needed, and nothing that the broker has. */
final class PluginDirectoryIT {

    private static final Path DIRECTORY =
            Path.of(Objects.requireNonNull(System.getProperty("shelfmark.plugin.directory"), "run by Maven only"));

    private static List<Path> jars() throws IOException {
        try (Stream<Path> files = Files.list(DIRECTORY)) {
            return files.filter(file -> file.toString().endsWith(".jar")).toList();
        }
    }

    @Test
    void holdsTheseJarsAlone() throws IOException {
        assertThat(jars())
                .extracting(jar -> jar.getFileName().toString().replaceFirst("-[0-9].*", ""))
                .containsExactlyInAnyOrder(
                        "HikariCP",
                        "caffeine",
                        "geantyref",
                        "jdbi3-core",
                        "jdbi3-sqlobject",
                        "postgresql",
                        "shelfmark-api",
                        "shelfmark-jdbc-store");
    }

    @Test
    void holdsNoClassThatTheBrokerShares() throws IOException {
        for (Path jar : jars()) {
            try (JarFile file = new JarFile(jar.toFile())) {
                assertThat(file.stream().map(entry -> entry.getName()))
                        .as(jar.toString())
                        .noneMatch(name -> name.startsWith("org/slf4j/")
                                || name.startsWith("org/apache/kafka/")
                                || name.startsWith("org/jspecify/")
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

    /** As a broker loads it: child first, Kafka and SLF4J from above, no Flyway anywhere. */
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
                        || name.startsWith("dev.shelfmark.store.");
                if (loaded == null && !shared) {
                    loaded = findClass(name);
                }
                return loaded == null ? super.loadClass(name, resolve) : loaded;
            }
        }
    }

    @Test
    void worksInAClassLoaderOfItsOwn() throws IOException {
        TestDatabase database = TestServer.shared().database();
        List<URL> urls = new ArrayList<>();
        for (Path jar : jars()) {
            urls.add(jar.toUri().toURL());
        }
        try (ChildFirst loader = new ChildFirst(urls)) {
            StoreProvider provider = ServiceLoader.load(StoreProvider.class, loader).stream()
                    .filter(found -> found.type().getClassLoader() == loader)
                    .map(ServiceLoader.Provider::get)
                    .findFirst()
                    .orElseThrow();
            Map<String, Object> config = provider.configDef().parse(database.settings("broker"));
            StoreContext context = new StoreContext(config, Retention.NONE, "isolated", StoreListener.NONE);
            try (var store = provider.open(context)) {
                store.verify();
                assertThat(store.cluster("nobody")).isEmpty();
            }
            assertThatThrownBy(() -> loader.loadClass("org.flywaydb.core.Flyway"))
                    .isInstanceOf(ClassNotFoundException.class);
        }
    }
}
