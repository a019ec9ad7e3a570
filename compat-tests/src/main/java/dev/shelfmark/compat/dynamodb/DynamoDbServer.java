package dev.shelfmark.compat.dynamodb;

import java.net.URI;
import java.util.Optional;

/**
 * A server that speaks DynamoDB's protocol. The first of these that can be had:
 *
 * <ol>
 *   <li>the endpoint that {@code -Dcompat.dynamodb.endpoint} or the variable {@code COMPAT_DYNAMODB_ENDPOINT} names;
 *   <li>{@code amazon/dynamodb-local} in Docker, when an engine answers;
 *   <li>{@code dynoxide}, a single binary that npm installs into the user's cache.
 * </ol>
 */
public interface DynamoDbServer extends AutoCloseable {

    /** Where to send requests. */
    URI endpoint();

    /** What it is, for messages. */
    String description();

    /** Stops what was started, and nothing else. */
    @Override
    void close();

    /**
     * Starts one.
     *
     * @throws IllegalStateException when none can be had, saying what to install
     */
    static DynamoDbServer start() {
        Optional<String> given = Optional.ofNullable(System.getProperty("compat.dynamodb.endpoint"))
                .or(() -> Optional.ofNullable(System.getenv("COMPAT_DYNAMODB_ENDPOINT")))
                .filter(endpoint -> !endpoint.isBlank());
        if (given.isPresent()) {
            return new GivenServer(URI.create(given.get()));
        }
        if (DockerServer.available()) {
            return DockerServer.start();
        }
        return DynoxideServer.start();
    }
}
