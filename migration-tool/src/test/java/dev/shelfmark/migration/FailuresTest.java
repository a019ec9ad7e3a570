package dev.shelfmark.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.migration.Shell.Result;
import dev.shelfmark.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each failure: one line, its exit code, no secret. */
class FailuresTest {

    private final Shell shell;
    private final Path directory;

    FailuresTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        shell = new Shell(directory);
    }

    private void assertOneLine(Result result, int exit, String... parts) {
        assertThat(result.exit()).isEqualTo(exit);
        assertThat(result.err().lines()).hasSize(1);
        assertThat(result.err())
                .startsWith("shelfmark: error: ")
                .contains(parts)
                .doesNotContain(Shell.PASSWORD);
        assertThat(result.out()).isEmpty();
    }

    private Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("other.properties"), content);
    }

    @Test
    void theStoreFails() {
        for (StoreException failure : List.of(
                new StoreException.Unavailable("no answer from here", null),
                new StoreException.AccessDenied("no right to here", null),
                new StoreException.SchemaMismatch("schema of here is newer", null))) {
            shell.provider.failure = failure;
            assertOneLine(shell.runConfigured("state"), 3, "here");
        }
    }

    @Test
    void theSchemaIsMissing() {
        assertOneLine(shell.runConfigured("state"), 3, "shelfmark migrate");
    }

    @Test
    void aWrongPasswordIsNotPrinted() {
        shell.environment.put("SHELFMARK_PASSWORD", "hunter3");
        Result result = shell.runConfigured("state");
        assertOneLine(result, 3, "password");
        assertThat(result.err()).doesNotContain("hunter3");
    }

    @Test
    void theCommandLineIsWrong() {
        assertOneLine(shell.run("state"), 2, "--config");
        assertOneLine(shell.run("stat"), 2, "stat");
        assertOneLine(shell.runConfigured("state", "set", "c", "redy", "--note", "x"), 2, "redy");
    }

    @Test
    void theConfigurationIsWrong() throws IOException {
        assertOneLine(shell.run("state", "--config", directory.resolve("none").toString()), 2, "no file");
        assertOneLine(configured("rlmm.config.stor=memory"), 2, "does not say which store", "'stor'", "[memory]");
        assertOneLine(configured("store=postgres"), 2, "'postgres'", "[memory]");
        assertOneLine(configured("store=memory"), 2, "memory.url");
        assertOneLine(
                configured("store=memory\nmemory.url=u\nmemory.pasword=" + Shell.PASSWORD),
                2,
                "unknown key 'memory.pasword'",
                "did you mean 'memory.password'?");
        assertOneLine(configured("store=memory\nmemory.url=\\u00g1"), 2, "can't be read as properties");
    }

    private Result configured(String content) throws IOException {
        return shell.run("state", "--config", file(content).toString());
    }

    @Test
    void debugShowsTheStackTrace() {
        Result result = shell.runConfigured("--debug", "state");
        assertThat(result.exit()).isEqualTo(3);
        assertThat(result.err()).contains("shelfmark: error: ", "\tat dev.shelfmark");
        assertThat(shell.runConfigured("state", "--debug").err()).contains("\tat dev.shelfmark");
    }

    @Test
    void credentialsComeFromTheEnvironmentOrAFile() throws IOException {
        shell.provider.schemaVersion = 2;
        shell.environment.clear();
        assertThat(shell.runConfigured("state").exit()).isEqualTo(3);

        Path secret = Files.writeString(directory.resolve("secret"), Shell.PASSWORD + "\n");
        Result result = shell.runConfigured("state", "--password-file", secret.toString(), "--user", "owner");

        assertThat(result.exit()).isZero();
        assertThat(Objects.requireNonNull(shell.provider.opened).config())
                .containsEntry("memory.user", "owner")
                .containsEntry("memory.password", new Password(Shell.PASSWORD));
    }

    @Test
    void placeholdersAreResolvedAsBrokersDo() throws IOException {
        shell.provider.schemaVersion = 2;
        shell.environment.clear();
        Files.writeString(directory.resolve("secrets.properties"), "pw=" + Shell.PASSWORD);
        Path config = file("""
                config.providers=file
                config.providers.file.class=org.apache.kafka.common.config.provider.FileConfigProvider
                remote.log.metadata.manager.impl.prefix=ours.
                ours.store=memory
                ours.memory.url=there
                ours.memory.password=${file:%s:pw}
                """.formatted(directory.resolve("secrets.properties")));

        Result result = shell.run("state", "--config", config.toString());

        assertThat(result.err()).isEmpty();
        assertThat(result.exit()).isZero();
    }
}
