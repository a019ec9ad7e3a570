package dev.shelfmark.compat.broker;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka cluster of real processes with tiered storage in files.
 *
 * <p>One broker is its own controller. Several have a controller process beside them, so that every broker may be killed. {@link
 * #close} ends all processes and removes all files; so does the end of this JVM, and when it is killed the brokers notice by themselves.
 */
public final class TestCluster implements AutoCloseable {

    private static final Duration TURN_LIMIT = Duration.ofMinutes(2);
    private static final int CONTROLLER_ID = 100;

    /** The properties of brokers with Kafka's own catalogue. */
    public static final Map<String, String> KAFKAS_CATALOGUE = Map.of(
            "rlmm.config.remote.log.metadata.topic.num.partitions", "3",
            "rlmm.config.remote.log.metadata.topic.replication.factor", "1",
            "rlmm.config.remote.log.metadata.topic.min.isr", "1");

    private final String clusterId;
    private final Path directory;
    private final Map<Integer, Broker> brokers;
    private final @Nullable Broker controller;
    private final String bootstrapServers;
    private final String securedBootstrapServers;
    private final Duration upLimit;
    private final Thread onExit = new Thread(this::remove, "remove-test-cluster");
    private final Admin admin;
    private boolean removed;

    private TestCluster(
            String clusterId,
            Path directory,
            Map<Integer, Broker> brokers,
            @Nullable Broker controller,
            String bootstrapServers,
            String securedBootstrapServers,
            Duration upLimit) {
        this.upLimit = upLimit;
        this.securedBootstrapServers = securedBootstrapServers;
        this.clusterId = clusterId;
        this.directory = directory;
        this.brokers = brokers;
        this.controller = controller;
        this.bootstrapServers = bootstrapServers;
        Map<String, Object> adminConfig = new HashMap<>();
        adminConfig.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
        adminConfig.put(AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 200);
        this.admin = Admin.create(adminConfig);
    }

    /** Begins the description of a cluster. */
    public static Builder builder() {
        return new Builder();
    }

    /** Describes a cluster. */
    public static final class Builder {

        private int brokers = 1;
        private final Map<String, String> config = new HashMap<>();
        private String clusterId = Uuid.randomUuid().toString();
        private @Nullable KafkaDistribution kafka;
        private @Nullable Path directory;
        private int port;
        private boolean tiedToParent = true;
        private Map<String, String> users = Map.of();
        private @Nullable Keystore keystore;
        private List<String> jvm = NodeRuntime.SMALL;
        private Duration upLimit = Duration.ofMinutes(2);
        private Path javaHome = Path.of(System.getProperty("java.home"));
        private List<Path> moreJars = List.of();
        private boolean combined;

        private Builder() {
            config.putAll(KAFKAS_CATALOGUE);
        }

        /** How many brokers; one unless said otherwise. */
        public Builder brokers(int count) {
            this.brokers = count;
            return this;
        }

        /** A property of every broker. */
        public Builder brokerConfig(String key, String value) {
            config.put(key, value);
            return this;
        }

        /** Properties of every broker. */
        public Builder brokerConfig(Map<String, String> properties) {
            config.putAll(properties);
            return this;
        }

        /**
         * The catalogue to use instead of Kafka's own: the properties {@code remote.log.metadata.manager.*} and {@code
         * rlmm.config.*}. Nothing of the other's configuration remains.
         */
        public Builder catalogue(Map<String, String> properties) {
            config.keySet().removeIf(TestCluster::isCatalogueSetting);
            config.putAll(properties);
            return this;
        }

        /** Kafka's cluster id; a random one unless said otherwise. */
        public Builder clusterId(String id) {
            this.clusterId = id;
            return this;
        }

        /** Where to keep everything; must not exist. A temporary directory unless said otherwise. */
        public Builder directory(Path place) {
            this.directory = place;
            return this;
        }

        /** The port of the first broker; a free one unless said otherwise. */
        public Builder port(int first) {
            this.port = first;
            return this;
        }

        /** The brokers go on when this JVM ends and the cluster was not closed. */
        public Builder outlivingParent() {
            this.tiedToParent = false;
            return this;
        }

        /** A second listener on every broker, for clients that log in with SASL PLAIN: names and their passwords. */
        public Builder users(Map<String, String> passwords) {
            this.users = Map.copyOf(passwords);
            return this;
        }

        /** The listener for those who log in wants TLS, too. */
        public Builder certificate(Keystore certificate) {
            this.keystore = certificate;
            return this;
        }

        /** With the heap, collector and compilers of a broker that is to be measured, rather than to be up soon. */
        public Builder asInProduction() {
            return asInProduction(1024);
        }

        /** The same, with another heap than the 1,024 MiB of Kafka's own scripts. */
        public Builder asInProduction(long heapMib) {
            this.jvm = NodeRuntime.asInProduction(heapMib);
            return this;
        }

        /** Another option of the brokers' JVMs, such as {@code -Duser.timezone=IST}. */
        public Builder jvmOption(String option) {
            List<String> more = new ArrayList<>(jvm);
            more.add(option);
            this.jvm = List.copyOf(more);
            return this;
        }

        /** How long the brokers may take to start; two minutes unless said otherwise. */
        public Builder upWithin(Duration limit) {
            this.upLimit = limit;
            return this;
        }

        /** Another Kafka than the one that the build laid out. */
        public Builder kafka(KafkaDistribution distribution) {
            this.kafka = distribution;
            return this;
        }

        /** Another JDK for the nodes than this process has. */
        public Builder javaHome(Path home) {
            this.javaHome = home;
            return this;
        }

        /** Jars on every node's class path, behind Kafka's own. */
        public Builder classPath(List<Path> jars) {
            this.moreJars = List.copyOf(jars);
            return this;
        }

        /** Every broker is a controller, too, however many there are. */
        public Builder combinedRoles() {
            this.combined = true;
            return this;
        }

        /** Starts the cluster and waits until every broker serves. */
        public TestCluster start() {
            return startAfter(id -> {});
        }

        /** The same, after something was done with the cluster's id, such as registering it. */
        public TestCluster startAfter(Consumer<String> preparation) {
            TestCluster cluster = create();
            try {
                preparation.accept(clusterId);
                cluster.startAll();
                return cluster;
            } catch (RuntimeException e) {
                cluster.printLogs(System.err);
                cluster.close();
                throw e;
            }
        }

        private TestCluster create() {
            try {
                Path place = directory != null
                        ? Files.createDirectories(directory)
                        : Files.createTempDirectory("shelfmark-cluster-");
                NodeRuntime runtime = new NodeRuntime(
                        kafka != null ? kafka : KafkaDistribution.locate(),
                        place,
                        tiedToParent,
                        jvm,
                        javaHome,
                        moreJars);
                runtime.prepare();
                return create(place, runtime);
            } catch (IOException e) {
                throw new UncheckedIOException("can't create the cluster's directory", e);
            }
        }

        private TestCluster create(Path place, NodeRuntime runtime) {
            try (Ports ports = new Ports()) {
                int controllerPort = ports.next();
                Broker controller = brokers == 1 || combined
                        ? null
                        : new Broker(
                                CONTROLLER_ID,
                                place.resolve("controller"),
                                runtime,
                                NodeProperties.controller(CONTROLLER_ID, controllerPort));
                Map<Integer, Integer> controllerPorts = new TreeMap<>();
                for (int id = 1; combined && id <= brokers; id++) {
                    controllerPorts.put(id, ports.next());
                }
                String voters = controllerPorts.entrySet().stream()
                        .map(voter -> voter.getKey() + "@127.0.0.1:" + voter.getValue())
                        .collect(Collectors.joining(","));
                Map<Integer, Broker> nodes = new TreeMap<>();
                List<String> addresses = new ArrayList<>();
                List<String> securedAddresses = new ArrayList<>();
                for (int id = 1; id <= brokers; id++) {
                    int clientPort = id == 1 && port != 0 ? port : ports.next();
                    Map<String, String> properties = brokers == 1
                            ? NodeProperties.combined(id, clientPort, controllerPort, brokers)
                            : NodeProperties.broker(id, clientPort, CONTROLLER_ID, controllerPort, brokers);
                    Integer ownControllerPort = controllerPorts.get(id);
                    if (ownControllerPort != null) {
                        NodeProperties.alsoController(properties, clientPort, ownControllerPort, voters);
                    }
                    Path node = place.resolve("broker-" + id);
                    properties.putAll(
                            NodeProperties.remoteStorage(place.resolve("remote-tier"), Broker.controlDirectory(node)));
                    properties.putAll(config);
                    if (!users.isEmpty()) {
                        int securedPort = ports.next();
                        NodeProperties.addLogin(properties, securedPort, users, keystore);
                        securedAddresses.add("127.0.0.1:" + securedPort);
                    }
                    nodes.put(id, new Broker(id, node, runtime, properties));
                    addresses.add("127.0.0.1:" + clientPort);
                }
                return new TestCluster(
                        clusterId,
                        place,
                        nodes,
                        controller,
                        String.join(",", addresses),
                        String.join(",", securedAddresses),
                        upLimit);
            }
        }
    }

    static boolean isCatalogueSetting(String key) {
        return key.startsWith("rlmm.config.") || key.startsWith("remote.log.metadata.manager.class.");
    }

    private void startAll() {
        Runtime.getRuntime().addShutdownHook(onExit);
        List<Broker> nodes = new ArrayList<>(brokers.values());
        if (controller != null) {
            nodes.add(0, controller);
        }
        nodes.forEach(node -> node.format(clusterId));
        nodes.forEach(Broker::start);
        brokers.values().forEach(this::awaitUp);
    }

    /** Waits until a broker that was started serves. */
    public void awaitUp(Broker broker) {
        Awaitility.await(broker + " to serve")
                .atMost(upLimit)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    broker.requireAlive();
                    return servingBrokers().contains(broker.id())
                            && broker.logLines("Kafka Server started").size() >= 1;
                });
    }

    /** Waits until the controller has taken a broker out of service. */
    public void awaitDown(Broker broker) {
        Awaitility.await(broker + " to be gone")
                .atMost(TURN_LIMIT)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> !servingBrokers().contains(broker.id()));
    }

    /** Stops a broker as an operator does, starts it again with its data and waits until it serves. */
    public void restart(Broker broker) {
        broker.stop();
        broker.start();
        awaitUp(broker);
    }

    private Set<Integer> servingBrokers() {
        try {
            return Kafka.answer(admin.describeCluster().nodes(), "asking which brokers serve").stream()
                    .map(Node::id)
                    .collect(Collectors.toSet());
        } catch (IllegalStateException notYet) {
            return Set.of();
        }
    }

    /** Kafka's cluster id. */
    public String clusterId() {
        return clusterId;
    }

    /** Where everything is kept. */
    public Path directory() {
        return directory;
    }

    /** The address of every broker. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** The address of every broker for clients that log in; empty without {@link Builder#users}. */
    public String securedBootstrapServers() {
        return securedBootstrapServers;
    }

    /** A broker by its node id, from 1. */
    public Broker broker(int id) {
        Broker broker = brokers.get(id);
        if (broker == null) {
            throw new IllegalArgumentException("no broker " + id + "; there are " + brokers.keySet());
        }
        return broker;
    }

    /** The process that is only a controller, if there is one. */
    public Optional<Broker> controller() {
        return Optional.ofNullable(controller);
    }

    /** Every broker, by id. */
    public List<Broker> brokers() {
        return List.copyOf(brokers.values());
    }

    /** The files of the remote tier. */
    public RemoteTier remoteTier() {
        return new RemoteTier(directory.resolve("remote-tier"));
    }

    /** A client for everything that the helpers do not cover; closed with the cluster. */
    public Admin admin() {
        return admin;
    }

    /** Creates a tiered topic and waits until every partition has a leader. */
    public TieredTopic create(TopicSpec spec) {
        return TieredTopic.create(this, spec);
    }

    /** The last lines of every node's log. */
    public void printLogs(PrintStream out) {
        List<Broker> nodes = new ArrayList<>(brokers.values());
        if (controller != null) {
            nodes.add(controller);
        }
        for (Broker node : nodes) {
            out.println("---- the end of the log of " + node + " (" + node.log() + ")");
            out.println(node.logTail());
        }
    }

    /** Kills every process and removes every file. */
    @Override
    public void close() {
        remove();
        admin.close(Duration.ZERO);
        try {
            Runtime.getRuntime().removeShutdownHook(onExit);
        } catch (IllegalStateException exiting) {
            // The JVM is going down, and the hook with it.
            return;
        }
    }

    /** Leaves the processes and files as they are, for someone else to end and remove. */
    public void abandon() {
        Runtime.getRuntime().removeShutdownHook(onExit);
        admin.close(Duration.ZERO);
    }

    private synchronized void remove() {
        if (removed) {
            return;
        }
        removed = true;
        List<Broker> nodes = new ArrayList<>(brokers.values());
        if (controller != null) {
            nodes.add(controller);
        }
        nodes.stream().filter(Broker::alive).forEach(Broker::kill);
        FileTrees.delete(directory);
    }
}
