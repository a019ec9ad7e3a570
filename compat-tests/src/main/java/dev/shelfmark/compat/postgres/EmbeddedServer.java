package dev.shelfmark.compat.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;

/** The binaries that Maven brings, as a process that ends with the tests. */
final class EmbeddedServer extends PostgresServer {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final EmbeddedPostgres postgres;

    private EmbeddedServer(EmbeddedPostgres postgres) {
        super(new Address("localhost", postgres.getPort(), "postgres", "postgres", ""));
        this.postgres = postgres;
    }

    static EmbeddedServer run() {
        try {
            return new EmbeddedServer(EmbeddedPostgres.builder()
                    .setPGStartupWait(START_LIMIT)
                    .setServerConfig("timezone", "Asia/Kathmandu")
                    .setDataDirectoryCustomizer(EmbeddedServer::requirePasswords)
                    .start());
        } catch (IOException | IllegalStateException e) {
            throw new IllegalStateException(
                    "The embedded PostgreSQL does not start here. To test the PostgreSQL store, start Docker, or name a"
                            + " server in -Dcompat.postgres.url; -Dcompat.skip=postgres leaves the store untested.",
                    e);
        }
    }

    private static void requirePasswords(File data) {
        try {
            Files.write(
                    data.toPath().resolve("pg_hba.conf"),
                    List.of("host all postgres all trust", "host all all all scram-sha-256"));
        } catch (IOException e) {
            throw new UncheckedIOException("can't write the access rules in " + data, e);
        }
    }

    @Override
    public String description() {
        return "the embedded PostgreSQL at port " + postgres.getPort();
    }

    @Override
    public void close() {
        try {
            postgres.close();
        } catch (IOException e) {
            throw new UncheckedIOException(description() + " does not stop", e);
        }
    }
}
