package dev.shelfmark.migration;

import dev.shelfmark.migration.brokers.MemoryBrokers;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Runs the command in this process, as a shell would. */
final class Shell {

    static final String PASSWORD = "hunter2-is-secret";
    static final String CLUSTER = "MkU3OEVBNTcwNTJENDM2Qg";
    static final Instant NOW = Instant.parse("2026-05-03T10:15:30Z");

    final MemoryStoreProvider provider = new MemoryStoreProvider(PASSWORD);
    final Map<String, String> environment = new HashMap<>(Map.of("SHELFMARK_PASSWORD", PASSWORD));
    MemoryBrokers brokers = new MemoryBrokers(CLUSTER, 3);
    volatile boolean stopped;
    final Path config;

    Shell(Path directory) throws IOException {
        config = Files.writeString(directory.resolve("server.properties"), """
                broker.id=1
                rlmm.config.store=memory
                rlmm.config.memory.url=here
                """);
    }

    record Result(int exit, String out, String err) {}

    Result run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Surroundings surroundings = new Surroundings(
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
    Result runConfigured(String... args) {
        String[] all = new String[args.length + 2];
        System.arraycopy(args, 0, all, 0, args.length);
        all[args.length] = "--config";
        all[args.length + 1] = config.toString();
        return run(all);
    }

    /** Runs it against other brokers. */
    Result withBrokers(MemoryBrokers others, Supplier<Result> run) {
        brokers = others;
        return run.get();
    }
}
