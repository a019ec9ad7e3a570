package dev.shelfmark.matrix;

import dev.shelfmark.compat.broker.PluginDirectory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** How brokers load the plugin. */
enum Loading {
    /** The plugin's directory, by {@code remote.log.metadata.manager.class.path}: in a class loader of its own. */
    DIRECTORY,
    /** The single jar among Kafka's own, in {@code libs}. */
    LIBS;

    /** The jars to put beside Kafka's own. */
    List<Path> jars(PluginDirectory plugin) {
        return this == LIBS ? List.of(plugin.singleJar()) : List.of();
    }

    /** The broker's properties with these settings of the plugin. */
    Map<String, String> properties(PluginDirectory plugin, Map<String, String> settings) {
        return this == LIBS ? PluginDirectory.onClassPath(settings) : plugin.brokerProperties(settings);
    }
}
