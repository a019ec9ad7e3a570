package dev.shelfmark.plugin;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.IntSupplier;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * How many reads of remote segments wait for one of the broker's remote-log-reader threads, as the broker's own metric says. The interface of Kafka's
 * plugins does not say it.
 */
final class ReaderQueue implements IntSupplier {

    /** The broker does not publish the metric, or its configuration leaves it out. */
    static final int UNKNOWN = -1;

    /** From 4.2 on, and before. */
    private static final List<ObjectName> NAMES = List.of(
            name("kafka.log.remote:type=RemoteStorageThreadPool,name=RemoteLogReaderTaskQueueSize"),
            name(
                    "org.apache.kafka.storage.internals.log:type=RemoteStorageThreadPool,name=RemoteLogReaderTaskQueueSize"));

    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    private static ObjectName name(String name) {
        try {
            return ObjectName.getInstance(name);
        } catch (JMException e) {
            throw new IllegalArgumentException(name, e);
        }
    }

    @Override
    public int getAsInt() {
        for (ObjectName name : NAMES) {
            try {
                if (server.getAttribute(name, "Value") instanceof Number waiting) {
                    return waiting.intValue();
                }
            } catch (JMException | RuntimeException unpublished) {
                // Another version of Kafka has the other name: ask for that.
            }
        }
        return UNKNOWN;
    }
}
