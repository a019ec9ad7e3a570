package dev.shelfmark.compat.broker;

import dev.shelfmark.compat.remote.FileSystemRemoteStorageManager;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The {@code server.properties} of the nodes of a test cluster: small, quick, and with tiered storage. */
final class NodeProperties {

    private static final String CONTROLLER_LISTENER = "CONTROLLER";
    private static final String CLIENT_LISTENER = "PLAINTEXT";
    private static final String LOGIN_LISTENER = "LOGIN";

    private NodeProperties() {}

    static Map<String, String> combined(int id, int port, int controllerPort, int brokers) {
        Map<String, String> properties = broker(id, port, id, controllerPort, brokers);
        properties.put("process.roles", "broker,controller");
        properties.put(
                "listeners", listener(CLIENT_LISTENER, port) + "," + listener(CONTROLLER_LISTENER, controllerPort));
        return properties;
    }

    static Map<String, String> controller(int id, int controllerPort) {
        Map<String, String> properties = common(id, id, controllerPort);
        properties.put("process.roles", "controller");
        // A controller loads no plugin, but refuses tiered topics without this.
        properties.put("remote.log.storage.system.enable", "true");
        properties.put("listeners", listener(CONTROLLER_LISTENER, controllerPort));
        return properties;
    }

    static Map<String, String> broker(int id, int port, int controllerId, int controllerPort, int brokers) {
        Map<String, String> properties = common(id, controllerId, controllerPort);
        properties.put("process.roles", "broker");
        properties.put("listeners", listener(CLIENT_LISTENER, port));
        properties.put("advertised.listeners", listener(CLIENT_LISTENER, port));
        properties.put("inter.broker.listener.name", CLIENT_LISTENER);

        properties.put("broker.rack", rack(id));

        String replicas = Integer.toString(Math.min(brokers, 3));
        properties.put("auto.create.topics.enable", "false");
        properties.put("auto.leader.rebalance.enable", "false");
        properties.put("offsets.topic.num.partitions", "1");
        properties.put("offsets.topic.replication.factor", replicas);
        properties.put("transaction.state.log.num.partitions", "1");
        properties.put("transaction.state.log.replication.factor", replicas);
        properties.put("transaction.state.log.min.isr", "1");
        properties.put("group.initial.rebalance.delay.ms", "0");
        properties.put("num.io.threads", "2");
        properties.put("num.network.threads", "2");
        properties.put("log.cleaner.dedupe.buffer.size", "2097152");

        // By default every one of these takes 30 seconds or more.
        properties.put("log.initial.task.delay.ms", "500");
        properties.put("log.retention.check.interval.ms", "500");
        properties.put("log.segment.delete.delay.ms", "100");
        properties.put("remote.log.manager.task.interval.ms", "500");
        properties.put("replica.fetch.backoff.ms", "200");
        return properties;
    }

    /** Turns a broker into one that is a controller, too, in a quorum of all of them. */
    static void alsoController(Map<String, String> properties, int port, int controllerPort, String voters) {
        properties.put("process.roles", "broker,controller");
        properties.put(
                "listeners", listener(CLIENT_LISTENER, port) + "," + listener(CONTROLLER_LISTENER, controllerPort));
        properties.put("controller.quorum.voters", voters);
    }

    /** Where a broker says that it stands: each in a rack of its own. */
    static String rack(int id) {
        return "rack-" + id;
    }

    /** Tiered storage in files. */
    static Map<String, String> remoteStorage(Path remoteTier, Path control) {
        Map<String, String> properties = new HashMap<>();
        properties.put("remote.log.storage.system.enable", "true");
        properties.put("remote.log.storage.manager.class.name", FileSystemRemoteStorageManager.class.getName());
        properties.put(
                "remote.log.storage.manager.class.path",
                KafkaDistribution.ownClasses().toString());
        properties.put("remote.log.storage.manager.impl.prefix", "rsm.config.");
        properties.put("rsm.config." + FileSystemRemoteStorageManager.DIRECTORY, remoteTier.toString());
        properties.put("rsm.config." + FileSystemRemoteStorageManager.CONTROL_DIRECTORY, control.toString());
        properties.put("remote.log.metadata.manager.listener.name", CLIENT_LISTENER);
        return properties;
    }

    /**
     * A listener beside the others, where these users log in with SASL PLAIN.
     *
     * @param keystore with the broker's certificate, if the listener wants TLS, too
     */
    static void addLogin(
            Map<String, String> properties, int port, Map<String, String> users, @Nullable Keystore keystore) {
        String address = listener(LOGIN_LISTENER, port);
        properties.merge("listeners", address, (others, own) -> others + "," + own);
        String plain = properties.getOrDefault("advertised.listeners", "");
        properties.put("advertised.listeners", plain + "," + address);
        properties.put(
                "listener.security.protocol.map",
                CLIENT_LISTENER + ":PLAINTEXT," + CONTROLLER_LISTENER + ":PLAINTEXT," + LOGIN_LISTENER
                        + (keystore == null ? ":SASL_PLAINTEXT" : ":SASL_SSL"));
        if (keystore != null) {
            properties.put("ssl.keystore.type", "PKCS12");
            properties.put("ssl.keystore.location", keystore.file().toString());
            properties.put("ssl.keystore.password", keystore.password());
            properties.put("ssl.key.password", keystore.password());
        }
        properties.put("sasl.enabled.mechanisms", "PLAIN");
        StringBuilder jaas = new StringBuilder("org.apache.kafka.common.security.plain.PlainLoginModule required");
        users.forEach((name, password) -> jaas.append(" user_")
                .append(name)
                .append("=\"")
                .append(password)
                .append('"'));
        properties.put(
                "listener.name.login.plain.sasl.jaas.config", jaas.append(';').toString());
    }

    private static Map<String, String> common(int id, int controllerId, int controllerPort) {
        Map<String, String> properties = new HashMap<>();
        properties.put("node.id", Integer.toString(id));
        properties.put("controller.listener.names", CONTROLLER_LISTENER);
        properties.put("controller.quorum.voters", controllerId + "@127.0.0.1:" + controllerPort);
        // A killed broker loses its leaderships after this time.
        properties.put("broker.session.timeout.ms", "4000");
        properties.put("broker.heartbeat.interval.ms", "500");
        return properties;
    }

    private static String listener(String name, int port) {
        return name + "://127.0.0.1:" + port;
    }
}
