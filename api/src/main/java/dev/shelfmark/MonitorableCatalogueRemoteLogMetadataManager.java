package dev.shelfmark;

import org.apache.kafka.common.metrics.Monitorable;
import org.apache.kafka.common.metrics.PluginMetrics;

/**
 * The same manager, which also puts its metrics among the broker's own (KIP-877). For brokers from 4.1 that load it from their own class
 * path: older ones lack the interface, and with {@code remote.log.metadata.manager.class.path} no broker looks for it. The JMX beans are there
 * in any case.
 */
public final class MonitorableCatalogueRemoteLogMetadataManager extends CatalogueRemoteLogMetadataManager
        implements Monitorable {

    /** For the broker, which calls {@link #configure} next. */
    public MonitorableCatalogueRemoteLogMetadataManager() {}

    @Override
    public void withPluginMetrics(PluginMetrics metrics) {
        plugin().publishMetricsTo((metric, gauge) ->
                metrics.addMetric(metrics.metricName(metric.name(), metric.description(), metric.tags()), gauge));
    }
}
