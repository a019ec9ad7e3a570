package dev.shelfmark.plugin.bridge;

import dev.shelfmark.plugin.config.PluginThreads;
import dev.shelfmark.plugin.config.RlmmConfig;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of Kafka's own manager in this broker: made when the topic answers and the broker's listener is up, closed when the catalogue does, made
 * anew when the topic answers again. It knows the partitions of this broker all the while.
 *
 * <p>Kafka's class is on the broker's class path and nowhere else, so it is found by name. Brokers from 4.2 on tell it that they are ready, and not
 * us: we see that the listener accepts connections. A manager that finds no broker within its time ends the process, so it is not even made before.
 */
final class TopicManager implements AutoCloseable {

    static final String CLASS =
            "org.apache.kafka.server.log.remote.metadata.storage.TopicBasedRemoteLogMetadataManager";

    private static final Logger LOG = LoggerFactory.getLogger(TopicManager.class);
    private static final String BOOTSTRAP = "remote.log.metadata.common.client.bootstrap.servers";
    private static final int CONNECT_MS = 1_000;
    private static final long RETRY_MS = 250;

    private final Map<String, Object> settings;
    private final ClassLoader loader;
    private final Runnable whenOpened;
    private final ScheduledExecutorService thread;
    private final Object lock = new Object();
    private final Set<TopicIdPartition> partitions = new HashSet<>();
    private long wanted;
    private boolean closed;
    private volatile @Nullable RemoteLogMetadataManager current;

    /**
     * Of a configured broker.
     *
     * @param whenOpened told after each opening, on a thread of this class
     * @throws ConfigException when Kafka's manager refuses the settings, or is not there
     */
    TopicManager(RlmmConfig config, ClassLoader loader, Runnable whenOpened) {
        this.settings = config.topicBasedValues();
        this.loader = loader;
        this.whenOpened = whenOpened;
        check();
        // One thread: an opening and a closing never overtake each other.
        ScheduledThreadPoolExecutor executor =
                new ScheduledThreadPoolExecutor(1, new PluginThreads(config.brokerId(), "topic"));
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.thread = executor;
    }

    private void check() {
        if (settings.getOrDefault(BOOTSTRAP, "").toString().isEmpty()) {
            throw new ConfigException(RlmmConfig.BROKER_PREFIX + RlmmConfig.MIGRATION_MODE + "=bridge needs the way to"
                    + " Kafka's metadata topic: set remote.log.metadata.manager.listener.name");
        }
        if (Arrays.stream(RemoteLogMetadataManager.class.getMethods())
                .noneMatch(method -> method.getName().equals("isReady"))) {
            throw new ConfigException(
                    RlmmConfig.BROKER_PREFIX + RlmmConfig.MIGRATION_MODE + "=bridge needs Kafka 4.0 or"
                            + " newer: on this broker Kafka's own metadata manager does not say when it has read its topic. Use"
                            + " 'shelfmark cutover --offline', or upgrade the brokers first");
        }
        try {
            Class.forName(CLASS + "Config", true, loader)
                    .getConstructor(Map.class)
                    .newInstance(settings);
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            throw new ConfigException("Kafka's own metadata manager refuses its settings (" + RlmmConfig.BROKER_PREFIX
                    + "remote.log.metadata.*): " + (cause == null ? e : cause.getMessage()));
        } catch (ReflectiveOperationException e) {
            throw new ConfigException("the broker's class path has no " + CLASS + ": " + e);
        }
    }

    /** Kafka's manager, when there is one. */
    Optional<RemoteLogMetadataManager> current() {
        return Optional.ofNullable(current);
    }

    /** Wants a manager; it comes in the background. Does nothing when one is there or on its way. */
    void open() {
        synchronized (lock) {
            if (wanted == 0 && !closed) {
                long opening = ++openings;
                // First, because it can fail, as for want of a thread: whoever asks next must not find one on its way
                // that is not.
                run(() -> openWhenReachable(opening));
                wanted = opening;
            }
        }
    }

    private long openings;

    /** Wants none: what there is answers nobody any more, and is closed in the background. */
    void drop() {
        synchronized (lock) {
            wanted = 0;
            RemoteLogMetadataManager old = current;
            current = null;
            if (old != null) {
                run(() -> close(old));
            }
        }
    }

    private void run(Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("Closing", e);
        }
    }

    private boolean isWanted(long opening) {
        synchronized (lock) {
            return wanted == opening && !closed;
        }
    }

    private void openWhenReachable(long opening) {
        if (!isWanted(opening)) {
            return;
        }
        try {
            if (reachable()) {
                open(opening);
                tellOpened();
                return;
            }
        } catch (ReflectiveOperationException | RuntimeException | Error e) {
            // First, because telling of a failure can fail, too, and then nobody would try again.
            tryAgain(opening);
            LOG.error("Kafka's own metadata manager can't be started; trying again", e);
            return;
        }
        tryAgain(opening);
    }

    private void tryAgain(long opening) {
        synchronized (lock) {
            if (closed || wanted != opening || current != null) {
                return;
            }
            try {
                var unused = thread.schedule(() -> openWhenReachable(opening), RETRY_MS, TimeUnit.MILLISECONDS);
            } catch (RuntimeException | Error e) {
                // Whoever asks next begins anew.
                wanted = 0;
                throw e;
            }
        }
    }

    /** Whether a broker listens at one of the addresses; one that can't be read is Kafka's to judge. */
    private boolean reachable() {
        List<String> addresses = new ArrayList<>();
        for (String address : settings.getOrDefault(BOOTSTRAP, "").toString().split(",", -1)) {
            addresses.add(address.strip());
        }
        for (String address : addresses) {
            int colon = address.lastIndexOf(':');
            try (Socket socket = new Socket()) {
                String host = address.substring(0, colon).replaceAll("^\\[|]$", "");
                socket.connect(new InetSocketAddress(host, Integer.parseInt(address.substring(colon + 1))), CONNECT_MS);
                return true;
            } catch (IOException notYet) {
                LOG.debug("Nobody listens at {} yet", address, notYet);
            } catch (IllegalArgumentException | IndexOutOfBoundsException unreadable) {
                return true;
            }
        }
        return false;
    }

    private void tellOpened() {
        try {
            whenOpened.run();
        } catch (RuntimeException | Error e) {
            LOG.error("What waits for Kafka's own metadata manager can't be told that it is there", e);
        }
    }

    private void open(long opening) throws ReflectiveOperationException {
        RemoteLogMetadataManager manager = Class.forName(CLASS, true, loader)
                .asSubclass(RemoteLogMetadataManager.class)
                .getConstructor()
                .newInstance();
        boolean open = false;
        try {
            open = open(manager, opening);
        } finally {
            if (!open) {
                giveUp(manager);
            }
        }
    }

    /** Whether it is open; false when nobody wants it any more. */
    private boolean open(RemoteLogMetadataManager manager, long opening) throws ReflectiveOperationException {
        manager.configure(settings);
        synchronized (lock) {
            if (wanted != opening || closed) {
                return false;
            }
            manager.onPartitionLeadershipChanges(Set.copyOf(partitions), Set.of());
            current = manager;
        }
        try {
            manager.getClass().getMethod("onBrokerReady").invoke(manager);
        } catch (NoSuchMethodException before42) {
            LOG.debug("Brokers before 4.2 start their manager when they configure it", before42);
        }
        LOG.info("Kafka's own metadata manager is started for {} partitions", partitionCount());
        return true;
    }

    /** It has a consumer, a producer and threads, however far it came, and another will be made in its place. */
    private void giveUp(RemoteLogMetadataManager manager) {
        synchronized (lock) {
            if (current == manager) {
                current = null;
            }
        }
        close(manager);
    }

    private int partitionCount() {
        synchronized (lock) {
            return partitions.size();
        }
    }

    private static void close(RemoteLogMetadataManager manager) {
        try {
            manager.close();
            LOG.info("Kafka's own metadata manager is closed: its memory is freed");
        } catch (IOException | RuntimeException | Error e) {
            LOG.warn("Kafka's own metadata manager could not be closed", e);
        }
    }

    /** As Kafka's manager: it makes no difference between the two, and a partition is its own until it is stopped. */
    void leadershipChanged(Set<TopicIdPartition> leaders, Set<TopicIdPartition> followers) {
        synchronized (lock) {
            partitions.addAll(leaders);
            partitions.addAll(followers);
            tell(manager -> manager.onPartitionLeadershipChanges(leaders, followers));
        }
    }

    void stopped(Set<TopicIdPartition> stopped) {
        synchronized (lock) {
            partitions.removeAll(stopped);
            tell(manager -> manager.onStopPartitions(stopped));
        }
    }

    private void tell(java.util.function.Consumer<RemoteLogMetadataManager> callback) {
        RemoteLogMetadataManager manager = current;
        if (manager == null) {
            return;
        }
        try {
            callback.accept(manager);
        } catch (RuntimeException | Error e) {
            // Kafka tells of a partition once: this manager may never be ready for it, or never let it go. In the
            // background, as telling of a failure can fail, too, and the caller is the publisher of metadata.
            run(() -> LOG.error("Kafka's own metadata manager failed in a leadership callback, to be made anew", e));
            drop();
            open();
        }
    }

    /** Closes what is open and waits for it. */
    @Override
    public void close() {
        RemoteLogMetadataManager last;
        synchronized (lock) {
            closed = true;
            last = current;
            current = null;
        }
        thread.shutdown();
        if (last != null) {
            close(last);
        }
    }
}
