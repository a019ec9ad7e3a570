package dev.shelfmark.compat.dynamodb;

import java.net.URI;
import java.nio.file.Path;

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
     * Starts one. It ends with this JVM at the latest.
     *
     * @throws NoEmulatorException when none can be had, saying what to install
     */
    static DynamoDbServer start() {
        return GivenServer.named()
                .<DynamoDbServer>map(GivenServer::new)
                .orElseGet(() -> DockerServer.available() ? DockerServer.start() : DynoxideServer.start());
    }

    /**
     * Starts one whose process, if it is one of this machine, has its data in a directory and names it in its arguments: by that it
     * is found and ended, when nobody calls {@link #close}.
     *
     * @param directory exists
     * @param lasting whether it must go on when this JVM ends, as a container does not
     * @throws NoEmulatorException when none can be had, saying what to install
     */
    static DynamoDbServer startIn(Path directory, boolean lasting) {
        return GivenServer.named().<DynamoDbServer>map(GivenServer::new).orElseGet(() -> {
            boolean container = !lasting && DockerServer.available();
            return container ? DockerServer.start() : DynoxideServer.startIn(directory);
        });
    }
}
