package dev.shelfmark.bench;

import java.lang.management.ManagementFactory;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * What Shelfmark has asked of its store, from the metrics that it publishes; all zero when there is none in this JVM.
 *
 * @param requests statements or API calls
 * @param rows rows or items read or written
 * @param loaded segments read into memory
 */
record StoreTraffic(long requests, long rows, long loaded) {

    private static final Set<String> BACKGROUND = Set.of("cluster", "heartbeat", "purge", "verify");

    /** Since the start. */
    static StoreTraffic now() {
        return new StoreTraffic(sum("store-requests-total"), sum("store-rows-total"), sum("loaded-segments-total"));
    }

    StoreTraffic since(StoreTraffic before) {
        return new StoreTraffic(requests - before.requests, rows - before.rows, loaded - before.loaded);
    }

    /** Over all operations but the ones that go on in the background whatever a broker does. */
    private static long sum(String metric) {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try {
            long sum = 0;
            Set<ObjectName> beans = server.queryNames(new ObjectName("dev.shelfmark:*"), null);
            for (ObjectName bean : beans) {
                String operation = bean.getKeyProperty("operation");
                boolean background = operation != null && BACKGROUND.contains(operation);
                for (var attribute : server.getMBeanInfo(bean).getAttributes()) {
                    if (attribute.getName().equals(metric) && !background) {
                        sum += ((Number) server.getAttribute(bean, metric)).longValue();
                    }
                }
            }
            return sum;
        } catch (JMException e) {
            throw new IllegalStateException("the metrics can't be read", e);
        }
    }
}
