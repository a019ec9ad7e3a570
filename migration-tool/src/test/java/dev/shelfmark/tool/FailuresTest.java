package dev.shelfmark.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.store.StoreException;
import dev.shelfmark.tool.Shell.Result;
import dev.shelfmark.tool.console.OutputFormat;
import dev.shelfmark.tool.console.RowWriter;
import dev.shelfmark.tool.failure.FileErrors;
import dev.shelfmark.tool.failure.ToolFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        assertOneLine(shell.runConfigured("state"), 3, "shelfmark upgrade-schema");
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
        assertOneLine(shell.run("stat"), 2, "unknown command 'stat'; did you mean 'state'?");
        assertOneLine(shell.run("initt"), 2, "unknown command 'initt'; did you mean 'init'?");
        Result misspelt = shell.run("init", "--confg", "/etc/owner.properties");
        assertOneLine(misspelt, 2, "unknown option '--confg'; did you mean '--config'?");
        assertThat(misspelt.err()).doesNotContain("/etc/owner.properties");
        assertOneLine(
                shell.runConfigured("lookup", "orders-1", "1234"),
                2,
                "unexpected argument 'orders-1': 'shelfmark lookup' takes options only");
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
    void resultsThatDoNotArriveAreAFailure() {
        shell.provider.schemaVersion = 2;
        shell.registered();
        for (String command : List.of("state", "topics", "partitions", "segments", "history")) {
            for (String form : List.of("table", "json", "csv")) {
                Result result =
                        shell.run(new FullDisk(), command, "--output", form, "--config", shell.config.toString());
                assertThat(result.exit()).as(command).isEqualTo(2);
                assertThat(result.err()).contains("shelfmark: error: ").contains("disk full");
            }
        }
        assertThat(shell.run(new FullDisk(), "--help").exit()).isEqualTo(2);
    }

    @Test
    void aTableEndsWhenNobodyReadsItAnyMore() {
        for (OutputFormat format : OutputFormat.values()) {
            RowWriter rows = new RowWriter(format, new PrintWriter(new FullDisk()), "number");
            assertThatThrownBy(() -> IntStream.range(0, 10_000).forEach(rows::row))
                    .as(format.name())
                    .isInstanceOf(ToolFailure.class)
                    .hasMessageContaining("written in full");
        }
    }

    @Test
    void whatJavaThrowsAsAnErrorIsToldInALine() {
        shell.provider.error = new OutOfMemoryError("Java heap space");
        assertOneLine(shell.runConfigured("state"), 5, "-Xmx");
        shell.provider.error = new NoClassDefFoundError("some/Class");
        assertOneLine(shell.runConfigured("state"), 5, "some/Class");
    }

    @Test
    void aFileThatCantBeUsedIsNamedWithTheReason() throws IOException {
        String none = directory.resolve("none").toString();
        String inNone = directory.resolve("none").resolve("file").toString();
        Path text = Files.write(directory.resolve("latin1"), new byte[] {'a', '=', (byte) 0xe9});
        shell.provider.schemaVersion = 2;
        assertOneLine(shell.run("state", "--config", text.toString()), 2, "not text in UTF-8");
        assertOneLine(shell.runConfigured("state", "--password-file", none), 2, "there is no " + none);
        assertThat(shell.runConfigured("orphans", "--listing", none).err()).contains("there is no " + none);
        assertOneLine(shell.runConfigured("report", "--file", inNone), 2, "--file", "there is no directory " + none);
        assertOneLine(shell.runConfigured("report", "--file", directory.toString()), 2, "is a directory");
        for (String option : List.of("--report", "--skipped-events")) {
            assertOneLine(
                    shell.runConfigured("import", "--bootstrap-server", "b:1", option, inNone), 2, option, "directory");
        }
        assertOneLine(
                shell.runConfigured("export", "--bootstrap-server", "b:1", "--file", inNone), 2, "--file", "directory");
        assertThat(directory.resolve("none")).doesNotExist();
    }

    @Test
    void reasonsAreNotJustTheFilesName() {
        assertThat(FileErrors.reason(new AccessDeniedException("/f"))).isEqualTo("access to /f is denied");
        assertThat(FileErrors.reason(new FileSystemException("/f"))).contains("FileSystemException");
        assertThat(FileErrors.reason(new FileSystemException("/f", null, "Too many links")))
                .contains("Too many links");
        assertThat(FileErrors.reason(new IOException())).contains("IOException");
    }

    @Test
    void aReportDoesNotTakeADirectorysPlace() throws IOException {
        shell.provider.schemaVersion = 2;
        Path empty = Files.createDirectory(directory.resolve("empty"));
        assertOneLine(shell.runConfigured("report", "--file", empty.toString()), 2, "is a directory");
        assertThat(empty).isDirectory();
    }

    @Test
    void whatOnlyHelpsWithBrokersIsNotPassedOverWithoutThem() throws IOException {
        shell.provider.schemaVersion = 2;
        String client = file("security.protocol=SSL").toString();
        for (String command : List.of("check", "report", "verify", "init")) {
            assertOneLine(shell.runConfigured(command, "--command-config", client), 2, "--bootstrap-server");
        }
    }

    @Test
    void momentsAndAgesBeyondAllMeaningAreRefused() {
        shell.provider.schemaVersion = 2;
        for (String age : List.of("99999999999999d", "36501d", "PT-1H")) {
            assertOneLine(shell.runConfigured("topics", "--growth", age), 2, "--growth", age);
            assertOneLine(shell.runConfigured("topics", "--since", age), 2, "--since", age);
            assertOneLine(shell.runConfigured("check", "--age", age), 2, "--age", age);
        }
        for (String moment : List.of("-999999999-01-01T00:00:00Z", "+999999999-01-01T00:00:00Z")) {
            assertOneLine(shell.runConfigured("history", "--since", moment), 2, "--since", moment);
        }
    }

    @Test
    void numbersThatNothingHasAreRefused() {
        shell.provider.schemaVersion = 2;
        for (String command : List.of("topics", "partitions", "segments", "history", "check", "report")) {
            assertOneLine(shell.runConfigured(command, "--partition", "3,-1"), 2, "--partition must be 0 or more");
        }
        assertOneLine(shell.runConfigured("lookup", "--offset", "1", "--partition", "-1"), 2, "--partition");
        assertOneLine(shell.runConfigured("lookup", "--offset", "1", "--epoch", "-1"), 2, "--epoch");
        for (String command : List.of("check", "report")) {
            assertOneLine(shell.runConfigured(command, "--small-segments", "0"), 2, "--small-segments");
            assertOneLine(shell.runConfigured(command, "--small-bytes", "-1"), 2, "--small-bytes");
        }
        assertOneLine(withBrokers("verify", "--limit", "-1"), 2, "--limit");
        assertOneLine(withBrokers("export", "--topic-partitions", "0"), 2, "--topic-partitions");
        assertOneLine(withBrokers("export", "--topic-replication-factor", "0"), 2, "--topic-replication-factor");
        for (String command : List.of("cutover", "rollback")) {
            assertOneLine(withBrokers(command, "--absent", "1,-1"), 2, "--absent");
        }
    }

    private Result withBrokers(String command, String option, String value) {
        return shell.runConfigured(command, "--bootstrap-server", "b:1", option, value);
    }

    @Test
    void anEndpointThatIsNoUrlIsRefused() {
        shell.provider.schemaVersion = 2;
        for (String endpoint : List.of("localhost:9000", "minio", "ftp://minio:9000")) {
            assertOneLine(
                    shell.runConfigured(
                            "orphans", "--s3-bucket", "b", "--s3-region", "eu-central-1", "--s3-endpoint", endpoint),
                    2,
                    "--s3-endpoint",
                    endpoint);
        }
    }

    /** What a full disk, or a pipe without a reader, is to a process. */
    private static final class FullDisk extends Writer {
        @Override
        public void write(char[] text, int from, int length) throws IOException {
            throw new IOException("No space left on device");
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
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

    @Test
    void placeholdersOfAProviderThatTheFileLacksAreRefusedByName() throws IOException {
        shell.environment.clear();
        Path config = file("""
                store=memory
                memory.url=there
                memory.password=${file:/run/secrets/shelfmark:password}
                """);

        Result result = shell.run("state", "--config", config.toString());

        assertThat(result.err())
                .contains("memory.password", "config.providers.file.class")
                .doesNotContain("/run/secrets");
        assertThat(result.exit()).isEqualTo(2);
    }

    /** As of a secret that was not mounted yet: an empty password would be sent in place of the file's own. */
    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "  \nsecond line\n"})
    void aPasswordFileWithoutAPasswordIsRefused(String content) throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), content);

        Result result = shell.runConfigured("state", "--password-file", secret.toString());

        assertThat(result.err()).contains(secret.toString(), "first line is empty");
        assertThat(result.exit()).isEqualTo(2);
    }

    /** As of 'SHELFMARK_PASSWORD=$NOT_SET shelfmark ...'. */
    @Test
    void anEmptyVariableIsNoPassword() throws IOException {
        shell.provider.schemaVersion = 2;
        shell.environment.put("SHELFMARK_PASSWORD", "");
        Path config = file("""
                store=memory
                memory.url=there
                memory.password=%s
                """.formatted(Shell.PASSWORD));

        Result result = shell.run("state", "--config", config.toString());

        assertThat(result.err()).isEmpty();
        assertThat(result.exit()).isZero();
    }
}
