package dev.shelfmark.plugin;

import dev.shelfmark.catalogue.ReadPatience;
import dev.shelfmark.plugin.config.RlmmConfig;
import java.time.Duration;

/**
 * Which of the broker's threads calls. Kafka's interface does not say it, and one method is called by several: a lookup by remote readers, which
 * may wait, and by replica fetchers, which must not. Only the name of the thread tells them apart. A thread with
 * any other name is treated as one that must not wait.
 */
public enum BrokerThread {

    /** Reads remote segments for consumers, {@code remote-log-reader-N}; its client waits, and asks again at once after an error. */
    REMOTE_READER,

    /** Copies, expires and follows in the background, {@code kafka-rlm-…}, or is the plugin's own; nobody waits for it. */
    TIERING,

    /** Applies metadata, {@code kafka-N-metadata-loader-event-handler}: topic creation and leader changes wait for it. */
    METADATA,

    /** Any other, such as a replica fetcher, which replicates other partitions too. */
    OTHER;

    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Duration RETRY_SOON = Duration.ofMillis(250);
    private static final Duration RETRY_SELDOM = Duration.ofSeconds(5);

    /** How long the metadata thread waits for one deletion, for a read and for its writes each. */
    public static final Duration METADATA_WAIT = Duration.ofSeconds(5);

    /** The calling thread's. */
    public static BrokerThread current() {
        return named(Thread.currentThread().getName());
    }

    static BrokerThread named(String name) {
        if (name.startsWith("remote-log-reader")) {
            return REMOTE_READER;
        }
        if (name.contains("metadata-loader")) {
            return METADATA;
        }
        return name.contains("rlm-") || name.startsWith("shelfmark-") ? TIERING : OTHER;
    }

    /** How long it may wait for the store. */
    ReadPatience patience(RlmmConfig config) {
        Duration longest = config.duration(RlmmConfig.CACHE_LOAD_WAIT_MS);
        return switch (this) {
            case TIERING -> new ReadPatience(longest, Duration.ZERO);
            case REMOTE_READER -> new ReadPatience(shorter(SHORT, longest), RETRY_SOON);
            case METADATA -> new ReadPatience(shorter(METADATA_WAIT, longest), RETRY_SELDOM);
            case OTHER -> new ReadPatience(shorter(SHORT, longest), RETRY_SELDOM);
        };
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
