package dev.shelfmark.soak;

import dev.shelfmark.compat.FaultProxy;
import dev.shelfmark.compat.broker.CatalogueServer;
import dev.shelfmark.compat.broker.DynamoDbCatalogue;
import dev.shelfmark.compat.broker.FileTrees;
import dev.shelfmark.compat.broker.JdbcCatalogue;
import dev.shelfmark.compat.broker.PluginDirectory;
import dev.shelfmark.compat.broker.TestCluster;
import dev.shelfmark.soak.record.Plant;
import dev.shelfmark.soak.record.RecordingStoreProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Three real brokers and a catalogue server, with a way between them that can be disturbed, and stores that write down what they do. */
final class SoakBed implements AutoCloseable {

    private final Path directory;
    private final CatalogueServer catalogue;
    private final FaultProxy way;
    private final TestCluster cluster;

    private SoakBed(Path directory, CatalogueServer catalogue, FaultProxy way, TestCluster cluster) {
        this.directory = directory;
        this.catalogue = catalogue;
        this.way = way;
        this.cluster = cluster;
    }

    static SoakBed start(boolean postgres, Plant plant) {
        CatalogueServer catalogue = postgres ? JdbcCatalogue.start() : DynamoDbCatalogue.start();
        FaultProxy way = null;
        try {
            Map<String, String> settings = new HashMap<>(catalogue.brokerSettings());
            way = disturbable(settings);
            settings.put("store", RecordingStoreProvider.NAME);
            Path directory = Files.createTempDirectory("shelfmark-soak-");
            Files.createDirectories(directory.resolve("records"));
            Map<String, String> properties =
                    PluginDirectory.ofStore(catalogue.store()).brokerProperties(settings);
            properties.merge(
                    "remote.log.metadata.manager.class.path",
                    layOutRecorder(directory).toString(),
                    (plugin, recorder) -> plugin + ":" + recorder);
            TestCluster cluster = TestCluster.builder()
                    .brokers(3)
                    .catalogue(properties)
                    .jvmOption("-D" + RecordingStoreProvider.STORE + "=" + catalogue.store())
                    .jvmOption("-D" + RecordingStoreProvider.DIRECTORY + "=" + directory.resolve("records"))
                    .jvmOption("-D" + RecordingStoreProvider.PLANT + "=" + plant)
                    .startAfter(catalogue::register);
            return new SoakBed(directory, catalogue, way, cluster);
        } catch (IOException e) {
            closed(catalogue, way);
            throw new UncheckedIOException("can't prepare the soak", e);
        } catch (RuntimeException e) {
            closed(catalogue, way);
            throw e;
        }
    }

    private static void closed(CatalogueServer catalogue, @Nullable FaultProxy way) {
        if (way != null) {
            way.close();
        }
        catalogue.close();
    }

    private static FaultProxy disturbable(Map<String, String> settings) {
        String url = settings.get("jdbc.url");
        if (url != null) {
            URI server = URI.create(url.substring("jdbc:".length()));
            FaultProxy way = new FaultProxy(server.getHost(), server.getPort());
            settings.put("jdbc.url", "jdbc:postgresql://" + way.host() + ":" + way.port() + server.getPath());
            return way;
        }
        URI server = URI.create(Objects.requireNonNull(settings.get("dynamodb.endpoint")));
        FaultProxy way = new FaultProxy(server.getHost(), server.getPort());
        settings.put("dynamodb.endpoint", "http://" + way.host() + ":" + way.port());
        return way;
    }

    /** The recording classes and their registration, as a directory of a broker's class path. */
    private static Path layOutRecorder(Path directory) throws IOException {
        Path classes = directory.resolve("recorder");
        String room = RecordingStoreProvider.class.getPackageName().replace('.', '/');
        Path target = Files.createDirectories(classes.resolve(room));
        Path own = Path.of(location());
        if (Files.isDirectory(own)) {
            try (Stream<Path> files = Files.list(own.resolve(room))) {
                for (Path file : files.toList()) {
                    Files.copy(file, target.resolve(file.getFileName()));
                }
            }
        } else {
            for (String name : List.of("RecordingStoreProvider", "RecordedCalls", "Recorder", "Plant")) {
                try (InputStream content = RecordingStoreProvider.class.getResourceAsStream(name + ".class")) {
                    Files.copy(Objects.requireNonNull(content, name), target.resolve(name + ".class"));
                }
            }
        }
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(
                services.resolve("dev.shelfmark.store.StoreProvider"), RecordingStoreProvider.class.getName() + "\n");
        return classes;
    }

    private static URI location() {
        try {
            return RecordingStoreProvider.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("this module's classes have no place", e);
        }
    }

    CatalogueServer catalogue() {
        return catalogue;
    }

    FaultProxy way() {
        return way;
    }

    TestCluster cluster() {
        return cluster;
    }

    /** What the stores wrote down. */
    Path records() {
        return directory.resolve("records");
    }

    @Override
    public void close() {
        cluster.close();
        way.close();
        catalogue.close();
        FileTrees.delete(directory);
    }
}
