package dev.shelfmark.plugin.config;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes the plugin's threads: daemons, named for thread dumps, and with the plugin's class loader, which Kafka sets only around its own
 * calls.
 */
public final class PluginThreads implements ThreadFactory {

    private final String prefix;
    private final ClassLoader loader;
    private final AtomicInteger made = new AtomicInteger();

    /** For one purpose of one broker. */
    public PluginThreads(int brokerId, String purpose) {
        this.prefix = "shelfmark-" + brokerId + "-" + purpose + "-";
        this.loader = PluginThreads.class.getClassLoader();
    }

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, prefix + made.incrementAndGet());
        thread.setDaemon(true);
        thread.setContextClassLoader(loader);
        return thread;
    }
}
