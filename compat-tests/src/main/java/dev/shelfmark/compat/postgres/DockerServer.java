package dev.shelfmark.compat.postgres;

import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** The official image, in a container that ends with the tests. */
final class DockerServer extends PostgresServer {

    private static final DockerImageName IMAGE = DockerImageName.parse("postgres:18.4");
    private static final int PORT = 5432;
    private static final String PASSWORD = "postgres";

    private final GenericContainer<?> container;

    private DockerServer(GenericContainer<?> container) {
        super(new Address(container.getHost(), container.getMappedPort(PORT), "postgres", "postgres", PASSWORD));
        this.container = container;
    }

    static boolean available() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    @SuppressWarnings("resource") // Closed by close(), or by Testcontainers when the JVM ends.
    static DockerServer run() {
        GenericContainer<?> container = new GenericContainer<>(IMAGE)
                .withExposedPorts(PORT)
                .withEnv("POSTGRES_PASSWORD", PASSWORD)
                .withCommand("postgres", "-c", "timezone=Asia/Kathmandu")
                // The image starts the server twice, the first time for its own preparations.
                .waitingFor(Wait.forLogMessage(".*ready to accept connections.*", 2));
        container.start();
        return new DockerServer(container);
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
