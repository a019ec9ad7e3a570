package dev.shelfmark.tool;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.memory.InMemoryCatalogueStore;
import dev.shelfmark.tool.console.ToolContext;
import dev.shelfmark.tool.kafka.MemoryBrokers;
import dev.shelfmark.tool.kafka.TopicInfo;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** Runs the command in this process, as a shell would. */
public final class Shell {

    static final String PASSWORD = "hunter2-is-secret";
    public static final String CLUSTER = "MkU3OEVBNTcwNTJENDM2Qg";
    public static final Instant NOW = Instant.parse("2026-05-03T10:15:30Z");

    public final MemoryStoreProvider provider = new MemoryStoreProvider(PASSWORD);
    final Map<String, String> environment = new HashMap<>(Map.of("SHELFMARK_PASSWORD", PASSWORD));
    public MemoryBrokers brokers = new MemoryBrokers(CLUSTER, 3);
    public volatile boolean stopped;
    final Path config;

    public Shell(Path directory) throws IOException {
        config = Files.writeString(directory.resolve("server.properties"), """
                broker.id=1
                rlmm.config.store=memory
                rlmm.config.memory.url=here
                """);
    }

    /** A store on the command's database. */
    public CatalogueStore store() {
        return store(Duration.ofDays(7));
    }

    /** A store on it that keeps the records of deleted segments so long. */
    public CatalogueStore store(Duration deletedSegments) {
        return new InMemoryCatalogueStore(
                provider.database, new Retention(deletedSegments, Duration.ofDays(7)), StoreListener.NONE);
    }

    /** Registers the cluster as ready. */
    public void registered() {
        registered(CLUSTER);
    }

    /** A cluster that is ready, in a store that has its schema. */
    public void registered(String cluster) {
        provider.database.putCluster(new ClusterRecord(cluster, ClusterState.READY, 1, NOW, "bob", ""));
    }

    /** Registers another cluster. */
    public void cluster(ClusterRecord record) {
        provider.database.putCluster(record);
    }

    /** Adds a topic to the cluster that the brokers form. */
    public void topic(UUID id, String name, long retentionMs) {
        brokers.topics.put(
                new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits()),
                new TopicInfo(name, true, retentionMs, false));
    }

    /** Sets the log start offset of a partition of the cluster that the brokers form. */
    public void logStart(String topic, int partition, long offset) {
        brokers.logStarts.put(new TopicPartition(topic, partition), offset);
    }

    /** Lets the database fail from now on. */
    public void fail(StoreException failure) {
        provider.failure = failure;
    }

    /** Lets the database go away when a listing has given so many pages. */
    public void failAfter(int pages) {
        provider.pages = pages;
    }

    public record Result(int exit, String out, String err) {}

    public Result run(String... args) {
        return run(new StringWriter(), args);
    }

    /** Runs it with its results going elsewhere. */
    Result run(Writer out, String... args) {
        StringWriter err = new StringWriter();
        ToolContext surroundings = new ToolContext(
                List.of(provider),
                connection -> brokers,
                Clock.fixed(NOW, ZoneOffset.UTC),
                environment,
                "ada",
                false,
                () -> stopped);
        int exit = Shelfmark.commandLine(surroundings, new PrintWriter(out), new PrintWriter(err))
                .execute(args);
        return new Result(exit, out.toString(), err.toString());
    }

    /** Runs it with this shell's configuration file. */
    public Result runConfigured(String... args) {
        String[] all = new String[args.length + 2];
        System.arraycopy(args, 0, all, 0, args.length);
        all[args.length] = "--config";
        all[args.length + 1] = config.toString();
        return run(all);
    }

    /** Runs it against other brokers. */
    public Result withBrokers(MemoryBrokers others, Supplier<Result> run) {
        brokers = others;
        return run.get();
    }
}
