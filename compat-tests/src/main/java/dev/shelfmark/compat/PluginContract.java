package dev.shelfmark.compat;

import dev.shelfmark.CatalogueRemoteLogMetadataManager;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreListener;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;

/** What the themes of the plugin have in common: plugins on the theme's database, closed after each test. */
public abstract class PluginContract extends StoreContract {

    protected PluginContract(StoreBackEnd backEnd) {
        super(backEnd);
    }

    /** A broker's plugin, ready. */
    final CatalogueRemoteLogMetadataManager broker(String clusterId, int brokerId, Map<String, ?> settings) {
        return closeLater(
                PluginBroker.startReady(PluginBroker.settings(harness()::open, clusterId, brokerId, settings)));
    }

    final CatalogueRemoteLogMetadataManager broker(String clusterId) {
        return broker(clusterId, 1, Map.of());
    }

    /** A broker's plugin, configured and not waited for, that opens its store in a way of its own. */
    final CatalogueRemoteLogMetadataManager start(
            HarnessStoreProvider.Opener opener, String clusterId, Map<String, ?> settings) {
        return closeLater(PluginBroker.start(PluginBroker.settings(opener, clusterId, 1, settings)));
    }

    /** A broker's plugin, ready, whose requests to the store are counted; it asks for its cluster's state once a minute only. */
    final CatalogueRemoteLogMetadataManager counted(
            CountingListener counted, String clusterId, Map<String, ?> settings) {
        Map<String, Object> rare = new LinkedHashMap<>(settings);
        rare.put("cluster.state.poll.ms", "60000");
        CatalogueRemoteLogMetadataManager manager =
                start((retention, listener) -> openCounted(retention, counted.and(listener)), clusterId, rare);
        PluginBroker.awaitReady(manager);
        return manager;
    }

    private CatalogueStore openCounted(Retention retention, StoreListener listener) {
        return harness().open(retention, listener);
    }

    /** Every question that a broker may ask about a partition, by name. */
    static Map<String, Callable<Object>> everyRead(RemoteLogMetadataManager manager, TopicIdPartition partition) {
        Map<String, Callable<Object>> reads = new LinkedHashMap<>();
        reads.put("lookup", () -> manager.remoteLogSegmentMetadata(partition, 0, 5));
        reads.put("highest offset", () -> manager.highestOffsetForEpoch(partition, 0));
        reads.put("list", () -> Uploads.toList(manager.listRemoteLogSegments(partition)));
        reads.put("list of an epoch", () -> Uploads.toList(manager.listRemoteLogSegments(partition, 0)));
        reads.put("size", () -> manager.remoteLogSize(partition, 0));
        reads.put("next with transaction index", () -> manager.nextSegmentWithTxnIndex(partition, 0, 5));
        return reads;
    }
}
