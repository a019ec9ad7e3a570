package dev.shelfmark.plugin.config;

import static org.apache.kafka.common.config.ConfigDef.Importance.HIGH;
import static org.apache.kafka.common.config.ConfigDef.Importance.LOW;
import static org.apache.kafka.common.config.ConfigDef.Importance.MEDIUM;
import static org.apache.kafka.common.config.ConfigDef.Range.atLeast;
import static org.apache.kafka.common.config.ConfigDef.Range.between;
import static org.apache.kafka.common.config.ConfigDef.Type.INT;
import static org.apache.kafka.common.config.ConfigDef.Type.LONG;
import static org.apache.kafka.common.config.ConfigDef.Type.STRING;

import dev.shelfmark.catalogue.CatalogueSettings;
import dev.shelfmark.kafka.NearestName;
import dev.shelfmark.kafka.Placeholders;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreProvider;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * The settings of the plugin and of the store that it names, as {@code configure} gets them: the broker has taken the prefix
 * {@code rlmm.config.} off. Strict: a key that means nothing is refused by name.
 */
public final class RlmmConfig {

    /** The prefix that the broker takes off, unless it is told another. */
    public static final String BROKER_PREFIX = "rlmm.config.";

    public static final String STORE = "store";
    public static final String WRITE_TIMEOUT_MS = "write.timeout.ms";
    public static final String WRITE_THREADS = "write.threads";
    public static final String CACHE_MAX_SEGMENTS = "cache.max.segments";
    public static final String CACHE_LEADER_MAX_STALENESS_MS = "cache.leader.max.staleness.ms";
    public static final String CACHE_FOLLOWER_MAX_STALENESS_MS = "cache.follower.max.staleness.ms";
    public static final String CACHE_OUTAGE_MAX_STALENESS_MS = "cache.outage.max.staleness.ms";
    public static final String CACHE_LOAD_WAIT_MS = "cache.load.wait.ms";
    public static final String CLUSTER_STATE_POLL_MS = "cluster.state.poll.ms";
    public static final String STATE_DIRECTORY = "state.directory";
    public static final String MIGRATION_MODE = "migration.mode";
    public static final String MIGRATION_LEASE_MS = "migration.lease.ms";
    public static final String MIGRATION_WRITE_WAIT_MS = "migration.write.wait.ms";
    public static final String DELETED_RETENTION_MS = "deleted.segments.retention.ms";
    public static final String HISTORY_RETENTION_MS = "history.retention.ms";
    public static final String PURGE_INTERVAL_MS = "purge.interval.ms";
    public static final String CLOSE_TIMEOUT_MS = "close.timeout.ms";

    /** What a broker adds by itself, and no operator writes. */
    private static final Set<String> FROM_BROKER = Set.of("broker.id", "node.id", "log.dir", "cluster.id");

    /** Settings of Kafka's own manager, which may stay in a broker's file so that going back is one line. */
    private static final String TOPIC_BASED_PREFIX = "remote.log.metadata.";

    /** Those of them that it knows, in every supported version; a bridge passes on no others. */
    private static final Set<String> TOPIC_BASED = Set.of(
            "remote.log.metadata.topic.replication.factor",
            "remote.log.metadata.topic.num.partitions",
            "remote.log.metadata.topic.retention.ms",
            "remote.log.metadata.topic.min.isr",
            "remote.log.metadata.consume.wait.ms",
            "remote.log.metadata.initialization.retry.max.timeout.ms",
            "remote.log.metadata.initialization.retry.interval.ms");

    private static final Set<String> TOPIC_BASED_CLIENTS = Set.of(
            "remote.log.metadata.common.client.",
            "remote.log.metadata.producer.",
            "remote.log.metadata.consumer.",
            "remote.log.metadata.admin.");

    private static final String BRIDGE = "bridge";
    private static final Duration BRIDGE_POLL = Duration.ofSeconds(1);

    private static final long DAY_MS = 24L * 60 * 60 * 1000;
    /** A hundred years. */
    private static final long LONGEST_MS = 36_500 * DAY_MS;

    private final AbstractConfig values;
    private final StoreProvider provider;
    private final Map<String, Object> storeValues;
    private final Map<String, Object> topicBasedValues;
    private final String clusterId;
    private final int brokerId;
    private final Path stateDirectory;

    private RlmmConfig(
            AbstractConfig values,
            StoreProvider provider,
            Map<String, Object> storeValues,
            Map<String, Object> topicBasedValues,
            String clusterId,
            int brokerId,
            Path stateDirectory) {
        this.values = values;
        this.provider = provider;
        this.storeValues = storeValues;
        this.topicBasedValues = topicBasedValues;
        this.clusterId = clusterId;
        this.brokerId = brokerId;
        this.stateDirectory = stateDirectory;
    }

    /** The plugin's own settings; a store has its own. */
    public static ConfigDef configDef() {
        return new ConfigDef()
                .define(
                        STORE,
                        STRING,
                        ConfigDef.NO_DEFAULT_VALUE,
                        new ConfigDef.NonEmptyString(),
                        HIGH,
                        "Where the catalogue is kept: the name of a store on the class path, jdbc or dynamodb.")
                .define(
                        WRITE_TIMEOUT_MS,
                        LONG,
                        30_000L,
                        fromMs(100),
                        MEDIUM,
                        "How long the report of a copied or deleted segment may take, in milliseconds, retries included. Then the"
                                + " broker is told that it failed, and tries again with its next task.")
                .define(
                        WRITE_THREADS,
                        INT,
                        4,
                        between(1, 64),
                        LOW,
                        "How many threads write to the store. Each writes for one partition at a time, everything that waits for it in"
                                + " one go; more than the store's connections gain nothing.")
                .define(
                        CACHE_MAX_SEGMENTS,
                        LONG,
                        1_000_000L,
                        atLeast(1_000),
                        HIGH,
                        "The most segments held in memory, about 120 bytes each. Should cover the partitions that this broker leads:"
                                + " their lists are read by the broker every 30 seconds, and one that does not fit is read from the"
                                + " store each time.")
                .define(
                        CACHE_LEADER_MAX_STALENESS_MS,
                        LONG,
                        5_000L,
                        fromMs(0),
                        MEDIUM,
                        "How long a partition that this broker leads is answered from memory without asking the store whether"
                                + " something changed, in milliseconds. The broker's own changes are always seen at once; this bounds how"
                                + " long one that lost its leadership without noticing goes on.")
                .define(
                        CACHE_FOLLOWER_MAX_STALENESS_MS,
                        LONG,
                        0L,
                        fromMs(0),
                        LOW,
                        "The same for partitions that this broker does not lead. 0 asks the store for every answer, so that what a"
                                + " leader has committed is seen at once.")
                .define(
                        CACHE_OUTAGE_MAX_STALENESS_MS,
                        LONG,
                        300_000L,
                        fromMs(0),
                        MEDIUM,
                        "How long a partition that this broker leads is still answered from memory while the store can't be reached,"
                                + " in milliseconds. After that, reads of tiered data fail with an error that clients retry.")
                .define(
                        CACHE_LOAD_WAIT_MS,
                        LONG,
                        15_000L,
                        fromMs(100),
                        LOW,
                        "How long an answer waits for another thread that is reading the same partition from the store, in"
                                + " milliseconds.")
                .define(
                        CLUSTER_STATE_POLL_MS,
                        LONG,
                        5_000L,
                        between(100, 60_000),
                        LOW,
                        "How often the broker reads the state of its cluster from the store, in milliseconds; once a second at least"
                                + " while the cluster is not ready.")
                .define(
                        STATE_DIRECTORY,
                        STRING,
                        "",
                        LOW,
                        "A directory of this broker alone, where it keeps a small file that says how far it has seen the catalogue, so that"
                                + " a database that went back is noticed after a restart. Empty: the broker's first log directory.")
                .define(
                        MIGRATION_MODE,
                        STRING,
                        "none",
                        ConfigDef.ValidString.in("none", BRIDGE),
                        MEDIUM,
                        "bridge: this broker answers from Kafka's own metadata topic until the cluster's state says that the catalogue is"
                                + " the truth, and the other way round; see docs/migration.md. none: from the catalogue, or not at all.")
                .define(
                        MIGRATION_LEASE_MS,
                        LONG,
                        10_000L,
                        between(2_000, 60_000),
                        LOW,
                        "With migration.mode=bridge: how long this broker acts on the state of its cluster after it last read it, in"
                                + " milliseconds. While the store is away for longer, nothing tiered is answered or written.")
                .define(
                        MIGRATION_WRITE_WAIT_MS,
                        LONG,
                        120_000L,
                        fromMs(1_000),
                        LOW,
                        "With migration.mode=bridge: how long the report of a copied or deleted segment may take, in milliseconds, the"
                                + " wait for a switch between topic and catalogue included. Then the broker is told that it failed.")
                .define(
                        DELETED_RETENTION_MS,
                        LONG,
                        7 * DAY_MS,
                        fromMs(60_000),
                        MEDIUM,
                        "How long the record of a deleted segment is kept for audits, in milliseconds.")
                .define(
                        HISTORY_RETENTION_MS,
                        LONG,
                        7 * DAY_MS,
                        fromMs(0),
                        MEDIUM,
                        "How long the history of state changes is kept for `shelfmark history`, in milliseconds: for each change of a"
                                + " segment or of a partition's deletion, when it was, by which broker, and from what to what. 0 keeps"
                                + " none. Holds for what is written from then on.")
                .define(
                        PURGE_INTERVAL_MS,
                        LONG,
                        600_000L,
                        fromMs(1_000),
                        LOW,
                        "How often the broker removes records of deleted segments and history that are due, in milliseconds. The brokers of"
                                + " a cluster share the work.")
                .define(
                        CLOSE_TIMEOUT_MS,
                        LONG,
                        10_000L,
                        fromMs(0),
                        LOW,
                        "How long a shutdown waits for writes under way, in milliseconds.");
    }

    /** A time from so many milliseconds on, and up to what can be counted in nanoseconds, before and after now. */
    private static ConfigDef.Range fromMs(long leastMs) {
        return between(leastMs, LONGEST_MS);
    }

    /**
     * Reads the settings.
     *
     * @param given as the broker hands them to {@code configure}
     * @param stores where stores are looked for
     * @throws ConfigException naming the key, what is wrong with it and what would be right
     */
    public static RlmmConfig of(Map<String, ?> given, ClassLoader stores) {
        AbstractConfig values = new AbstractConfig(configDef(), given, false);
        StoreProvider provider = provider(values.getString(STORE), stores);
        Set<String> known = new TreeSet<>(configDef().names());
        known.addAll(provider.configDef().names());
        refuseUnknown(given, known, BRIDGE.equals(values.getString(MIGRATION_MODE)));
        Placeholders.refuseUnresolved(given, BROKER_PREFIX);
        return new RlmmConfig(
                values,
                provider,
                provider.configDef().parse(given),
                topicBased(given),
                fromBroker(given, "cluster.id"),
                Integer.parseInt(fromBroker(given, given.containsKey("node.id") ? "node.id" : "broker.id")),
                stateDirectory(values.getString(STATE_DIRECTORY), given));
    }

    /** The setting, else the broker's log directory, else one that does not exist. */
    private static Path stateDirectory(String named, Map<String, ?> given) {
        Object logDirectory = given.get("log.dir");
        String directory = named.isEmpty() && logDirectory != null ? logDirectory.toString() : named;
        try {
            return Path.of(directory.isEmpty() ? "no-directory-given" : directory);
        } catch (InvalidPathException e) {
            throw new ConfigException(STATE_DIRECTORY, directory, "is no path: " + e.getMessage());
        }
    }

    private static StoreProvider provider(String name, ClassLoader stores) {
        List<String> found = new ArrayList<>();
        for (StoreProvider provider : ServiceLoader.load(StoreProvider.class, stores)) {
            if (provider.name().equals(name)) {
                return provider;
            }
            found.add(provider.name());
        }
        throw new ConfigException(
                STORE,
                name,
                found.isEmpty()
                        ? "there is no store on the class path; point remote.log.metadata.manager.class.path at the"
                                + " plugin's directory"
                        : "the stores on the class path are: " + String.join(", ", found));
    }

    /** What Kafka's own manager is given: its settings and what a broker adds, and none of ours, which it might log. */
    private static Map<String, Object> topicBased(Map<String, ?> given) {
        Map<String, Object> values = new HashMap<>();
        given.forEach((key, value) -> {
            if (key.startsWith(TOPIC_BASED_PREFIX) || FROM_BROKER.contains(key)) {
                values.put(key, value);
            }
        });
        return Map.copyOf(values);
    }

    private static boolean knownToTopicBased(String key) {
        return TOPIC_BASED.contains(key) || TOPIC_BASED_CLIENTS.stream().anyMatch(key::startsWith);
    }

    private static void refuseUnknown(Map<String, ?> given, Set<String> own, boolean bridge) {
        Set<String> known = new TreeSet<>(own);
        if (bridge) {
            known.addAll(TOPIC_BASED);
        }
        for (String key : new TreeSet<>(given.keySet())) {
            boolean topicBased = bridge ? knownToTopicBased(key) : key.startsWith(TOPIC_BASED_PREFIX);
            if (!known.contains(key) && !FROM_BROKER.contains(key) && !topicBased) {
                throw new ConfigException("Unknown setting " + BROKER_PREFIX + key + ": "
                        + NearestName.of(key, known)
                                .map(nearest -> "the nearest that there is is " + BROKER_PREFIX + nearest)
                                .orElse("the settings are: " + String.join(", ", known)));
            }
        }
    }

    private static String fromBroker(Map<String, ?> given, String key) {
        Object value = given.get(key);
        if (value == null || value.toString().isEmpty()) {
            throw new ConfigException(key + " is missing: a broker passes it to its plugins by itself");
        }
        return value.toString();
    }

    /** The way into the store that was named. */
    public StoreProvider provider() {
        return provider;
    }

    /** The store's own settings. */
    public Map<String, Object> storeValues() {
        return storeValues;
    }

    /** The settings of Kafka's own manager, as a broker would hand them to it. */
    public Map<String, Object> topicBasedValues() {
        return topicBasedValues;
    }

    /** Whether this broker follows the cluster's state between Kafka's topic and the catalogue. */
    public boolean bridge() {
        return BRIDGE.equals(values.getString(MIGRATION_MODE));
    }

    /** How often the cluster's state is read. A bridge reads it often: others wait for what it acknowledges. */
    public Duration clusterStatePoll() {
        Duration poll = duration(CLUSTER_STATE_POLL_MS);
        return bridge() && poll.compareTo(BRIDGE_POLL) > 0 ? BRIDGE_POLL : poll;
    }

    public String clusterId() {
        return clusterId;
    }

    public int brokerId() {
        return brokerId;
    }

    /** Where this broker keeps files of its own; may not exist. */
    public Path stateDirectory() {
        return stateDirectory;
    }

    public int writeThreads() {
        return values.getInt(WRITE_THREADS);
    }

    /** One of the settings whose names end in {@code .ms}. */
    public Duration duration(String key) {
        return Duration.ofMillis(values.getLong(key));
    }

    /** How long deleted segments' records and the history are kept. */
    public Retention retention() {
        return new Retention(duration(DELETED_RETENTION_MS), duration(HISTORY_RETENTION_MS));
    }

    public CatalogueSettings catalogueSettings() {
        return new CatalogueSettings(
                values.getLong(CACHE_MAX_SEGMENTS),
                duration(CACHE_LEADER_MAX_STALENESS_MS),
                duration(CACHE_FOLLOWER_MAX_STALENESS_MS),
                duration(CACHE_OUTAGE_MAX_STALENESS_MS),
                duration(CACHE_LOAD_WAIT_MS));
    }
}
