package dev.shelfmark.tool.console;

import dev.shelfmark.store.StoreProvider;
import dev.shelfmark.tool.kafka.Brokers;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * What the command needs of the world around it.
 *
 * @param providers the back ends
 * @param brokers opens connections to Kafka clusters
 * @param clock dates what it writes
 * @param environment the environment variables
 * @param user who runs it, as a cluster's record names them
 * @param terminal whether somebody watches the error stream
 * @param stopped turns true when the command was told to stop
 */
public record ToolContext(
        List<StoreProvider> providers,
        Brokers.Connector brokers,
        Clock clock,
        Map<String, String> environment,
        String user,
        boolean terminal,
        BooleanSupplier stopped) {

    /** Without the environment: it may hold a password. */
    @Override
    public String toString() {
        return "Surroundings[" + user + "]";
    }
}
