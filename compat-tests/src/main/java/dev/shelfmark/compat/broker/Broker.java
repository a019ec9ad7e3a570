package dev.shelfmark.compat.broker;

import dev.shelfmark.compat.remote.StorageControl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One Kafka process: a broker, a controller or both. Its data, its properties and its log outlive the process, so that it can be
 * started again after {@link #stop} or {@link #kill}.
 */
public final class Broker {

    private static final Duration FORMAT_LIMIT = Duration.ofMinutes(1);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(45);
    private static final int TAIL = 60;

    private final int id;
    private final Path directory;
    private NodeRuntime runtime;
    private final Map<String, String> properties;
    private @Nullable ChildProcess process;

    Broker(int id, Path directory, NodeRuntime runtime, Map<String, String> properties) {
        this.id = id;
        this.directory = directory;
        this.runtime = runtime;
        this.properties = new TreeMap<>(properties);
        this.properties.put("log.dirs", data().toString());
    }

    /** Kafka's node id. */
    public int id() {
        return id;
    }

    /** Its process, while it runs. */
    public long pid() {
        return running().pid();
    }

    /** Where Kafka keeps the partitions. */
    public Path data() {
        return directory.resolve("data");
    }

    /** What it printed, since the first start. */
    public Path log() {
        return directory.resolve("broker.log");
    }

    /** Steers this broker's remote storage. */
    public StorageControl storage() {
        return new StorageControl(controlDirectory(directory));
    }

    static Path controlDirectory(Path directory) {
        return directory.resolve("control");
    }

    /** Sets a property for the next start. */
    public void configure(String key, String value) {
        properties.put(key, value);
    }

    /** Sets which catalogue it uses from the next start on; nothing of the other's configuration remains. */
    public void useCatalogue(Map<String, String> settings) {
        properties.keySet().removeIf(TestCluster::isCatalogueSetting);
        properties.putAll(settings);
    }

    /** Sets these properties for the next start, in the place of all that are named with one of the prefixes. */
    public void reconfigure(Map<String, String> next, String... prefixes) {
        for (String prefix : prefixes) {
            properties.keySet().removeIf(key -> key.startsWith(prefix));
        }
        properties.putAll(next);
    }

    /** Runs another release of Kafka from the next start on. */
    public void runOn(KafkaDistribution release) {
        runtime = runtime.with(release);
    }

    /** Has these jars behind Kafka's own on its class path from the next start on. */
    public void classPath(List<Path> jars) {
        runtime = runtime.withJars(jars);
    }

    /** Whether the process is there, answering or paused. */
    public boolean alive() {
        return process != null && process.alive();
    }

    /** Starts the process and returns; see {@link TestCluster#awaitUp}. */
    public void start() {
        if (alive()) {
            throw new IllegalStateException(this + " runs already");
        }
        writeProperties();
        process = ChildProcess.start(toString(), runtime.broker(propertiesFile()), log(), runtime.tiedToParent());
    }

    /** SIGTERM: a controlled shutdown. */
    public void stop() {
        running().terminate(STOP_LIMIT);
        process = null;
    }

    /** SIGKILL: no shutdown at all. */
    public void kill() {
        running().kill();
        process = null;
    }

    /** SIGSTOP: to the others it looks as if it hung. */
    public void pause() {
        running().pause();
    }

    /** SIGCONT. */
    public void resume() {
        running().resume();
    }

    void format(String clusterId) {
        writeProperties();
        Path output = directory.resolve("format.log");
        int exit = ChildProcess.start("formatting " + this, runtime.format(clusterId, propertiesFile()), output, false)
                .awaitExit(FORMAT_LIMIT);
        if (exit != 0) {
            throw new IllegalStateException("formatting " + this + " failed:\n" + ChildProcess.tail(output, TAIL));
        }
    }

    /** Fails when the process has ended, with the last lines of its log. */
    void requireAlive() {
        if (!alive()) {
            throw new IllegalStateException(this + " has ended:\n" + logTail());
        }
    }

    String logTail() {
        return ChildProcess.tail(log(), TAIL);
    }

    /** Lines of its log that hold a text. */
    public List<String> logLines(String text) {
        try {
            List<String> found = new ArrayList<>();
            for (String line : Files.readAllLines(log(), java.nio.charset.StandardCharsets.ISO_8859_1)) {
                if (line.contains(text)) {
                    found.add(line);
                }
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException("can't read " + log(), e);
        }
    }

    private ChildProcess running() {
        if (process == null) {
            throw new IllegalStateException(this + " is not started");
        }
        return process;
    }

    private Path propertiesFile() {
        return directory.resolve("server.properties");
    }

    private void writeProperties() {
        Properties file = new Properties();
        file.putAll(properties);
        try {
            Files.createDirectories(directory);
            try (Writer writer = Files.newBufferedWriter(propertiesFile())) {
                file.store(writer, null);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can't write " + propertiesFile(), e);
        }
    }

    @Override
    public String toString() {
        return "broker " + id;
    }
}
