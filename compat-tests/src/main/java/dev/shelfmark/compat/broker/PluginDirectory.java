package dev.shelfmark.compat.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The directory of jars that an operator puts on a broker.
 *
 * @param directory {@code shelfmark-<store>-<version>}
 */
public record PluginDirectory(Path directory) {

    /** The one that the build of a store's module has made. */
    public static PluginDirectory ofStore(String store) {
        Path target = KafkaDistribution.module()
                .toAbsolutePath()
                .resolveSibling(store + "-store")
                .resolve("target");
        if (Files.isDirectory(target)) {
            try (Stream<Path> entries = Files.list(target)) {
                return entries.filter(Files::isDirectory)
                        .filter(entry -> entry.getFileName().toString().startsWith("shelfmark-" + store + "-"))
                        .max(Comparator.naturalOrder())
                        .map(PluginDirectory::new)
                        .orElseThrow(() -> missing(store, target));
            } catch (IOException e) {
                throw new UncheckedIOException("can't list " + target, e);
            }
        }
        throw missing(store, target);
    }

    private static IllegalStateException missing(String store, Path target) {
        return new IllegalStateException("no plugin directory in " + target + "; build it with: mvn -pl " + store
                + "-store -am -DskipTests package");
    }

    /** The same plugin as a single jar, which the build has put beside the directory. */
    public Path singleJar() {
        return directory.resolveSibling(directory.getFileName() + ".jar");
    }

    /** The broker's properties where the plugin is on the broker's class path. */
    public static Map<String, String> onClassPath(Map<String, String> settings) {
        Map<String, String> properties = new HashMap<>();
        properties.put("remote.log.metadata.manager.class.name", "dev.shelfmark.CatalogueRemoteLogMetadataManager");
        settings.forEach((key, value) -> properties.put("rlmm.config." + key, value));
        return properties;
    }

    /** The broker's properties that load the plugin from here, and configure it, exactly as in production. */
    public Map<String, String> brokerProperties(Map<String, String> settings) {
        Map<String, String> properties = new HashMap<>();
        properties.put("remote.log.metadata.manager.class.name", "dev.shelfmark.CatalogueRemoteLogMetadataManager");
        properties.put("remote.log.metadata.manager.class.path", directory + "/*");
        settings.forEach((key, value) -> properties.put("rlmm.config." + key, value));
        return properties;
    }
}
