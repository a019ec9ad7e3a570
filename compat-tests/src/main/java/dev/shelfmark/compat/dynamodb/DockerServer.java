package dev.shelfmark.compat.dynamodb;

import java.net.URI;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/** Amazon's own emulator, in a container that ends with the tests. */
final class DockerServer implements DynamoDbServer {

    private static final DockerImageName IMAGE = DockerImageName.parse("amazon/dynamodb-local:3.3.1");
    private static final int PORT = 8000;

    private final GenericContainer<?> container;

    private DockerServer(GenericContainer<?> container) {
        this.container = container;
    }

    static boolean available() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    @SuppressWarnings("resource") // Closed by close(), or by Testcontainers when the JVM ends.
    static DockerServer start() {
        GenericContainer<?> container = new GenericContainer<>(IMAGE)
                .withExposedPorts(PORT)
                .withCommand("-jar", "DynamoDBLocal.jar", "-inMemory", "-sharedDb");
        container.start();
        return new DockerServer(container);
    }

    @Override
    public URI endpoint() {
        return URI.create("http://" + container.getHost() + ":" + container.getMappedPort(PORT));
    }

    @Override
    public String description() {
        return IMAGE + " in Docker";
    }

    @Override
    public void close() {
        container.stop();
    }
}
