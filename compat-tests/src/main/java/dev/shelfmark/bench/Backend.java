package dev.shelfmark.bench;

import dev.shelfmark.compat.broker.FileTrees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.internals.ChildFirstClassLoader;
import org.apache.kafka.server.log.remote.metadata.storage.ClassLoaderAwareRemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;

/** The two that are compared, each opened as a broker opens it. */
enum Backend {
    /** Kafka's default, from the broker's class path. */
    KAFKA {
        @Override
        RemoteLogMetadataManager open(Settings settings) {
            TopicBasedRemoteLogMetadataManager manager = new TopicBasedRemoteLogMetadataManager();
            manager.configure(managerSettings(settings));
            manager.onBrokerReady();
            return manager;
        }
    },
    /** Shelfmark, from its plugin directory through a class loader of its own. */
    SHELFMARK {
        @Override
        RemoteLogMetadataManager open(Settings settings) {
            ClassLoader loader = new ChildFirstClassLoader(settings.text(PLUGIN), Backend.class.getClassLoader());
            try {
                RemoteLogMetadataManager plugin = (RemoteLogMetadataManager)
                        loader.loadClass(MANAGER_CLASS).getDeclaredConstructor().newInstance();
                RemoteLogMetadataManager manager = new ClassLoaderAwareRemoteLogMetadataManager(plugin, loader);
                manager.configure(managerSettings(settings));
                return manager;
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("can't load " + MANAGER_CLASS + " from " + settings.text(PLUGIN), e);
            }
        }
    };

    /** Prefix of what the manager is configured with. */
    static final String MANAGER = "manager.";

    /** The plugin's class path. */
    static final String PLUGIN = "plugin";

    private static final String MANAGER_CLASS = "dev.shelfmark.CatalogueRemoteLogMetadataManager";

    /** Opens it; it may not be able to answer yet. */
    abstract RemoteLogMetadataManager open(Settings settings);

    private static Map<String, Object> managerSettings(Settings settings) {
        Map<String, Object> given = new HashMap<>(settings.below(MANAGER));
        given.put("broker.id", Layout.BROKER);
        given.put("node.id", Layout.BROKER);
        given.put("log.dir", newLogDirectory().toString());
        return given;
    }

    /** Each broker has its own: it keeps there how far it has seen the catalogue. */
    private static Path newLogDirectory() {
        try {
            Path directory = Files.createTempDirectory("shelfmark-bench-log-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> FileTrees.delete(directory)));
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException("can't create a log directory", e);
        }
    }
}
