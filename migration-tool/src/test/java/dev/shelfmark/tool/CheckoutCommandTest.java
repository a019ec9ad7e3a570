package dev.shelfmark.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/shelfmark} of a checkout, with something else in Maven's place that only leaves behind what a build does. */
@DisplayName("bin/shelfmark builds what is missing or old, and says so when it can't")
final class CheckoutCommandTest {

    private static final String BUILDS = """
            echo "$@" >> builds
            mkdir -p migration-tool/target/shelfmark-1/bin
            touch migration-tool/target/shelfmark-1.tar.gz
            printf '#!/bin/sh\\necho ran "$@"\\nexit 3\\n' > migration-tool/target/shelfmark-1/bin/shelfmark
            chmod +x migration-tool/target/shelfmark-1/bin/shelfmark
            """;

    private record Ended(int code, String output) {}

    @TempDir
    Path directory;

    private Path root;
    private Path commands;

    @BeforeEach
    void checkout() throws IOException {
        root = directory.resolve("a checkout");
        commands = Files.createDirectories(directory.resolve("commands"));
        for (String module : List.of("api", "jdbc-store", "dynamodb-store", "migration-tool", "bin")) {
            Files.createDirectories(root.resolve(module));
        }
        Files.createFile(root.resolve("pom.xml"));
        for (String script : List.of("shelfmark", "checkout.sh")) {
            Files.copy(Path.of("..", "bin", script), root.resolve("bin").resolve(script));
        }
    }

    private void command(String name, String script) throws IOException {
        Path file = Files.writeString(commands.resolve(name), "#!/bin/sh\nset -e\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private Ended runWithPath(String path, String... arguments) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        List<String> command =
                new ArrayList<>(List.of("bash", root.resolve("bin/shelfmark").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("PATH", path);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(output));
    }

    private Ended run(String... arguments) throws IOException, InterruptedException {
        return runWithPath(commands + ":" + System.getenv("PATH"), arguments);
    }

    private static Path onPath(String command) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(folder -> Path.of(folder, command))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow();
    }

    private long builds() throws IOException {
        return Files.readAllLines(root.resolve("builds")).size();
    }

    @Test
    void aFreshCheckoutIsBuiltOnceAndAgainWhenASourceIsNewer() throws Exception {
        command("mvn", BUILDS);
        assertThat(run("check", "two words"))
                .satisfies(
                        ended -> assertThat(ended.code()).isEqualTo(3),
                        ended -> assertThat(ended.output()).endsWith("ran check two words\n"));
        assertThat(run("state").output()).isEqualTo("ran state\n");
        assertThat(builds()).isEqualTo(1);

        Path source = Files.createFile(root.resolve("jdbc-store/Source.java"));
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(10)));
        assertThat(run("state").output()).endsWith("ran state\n");
        assertThat(builds()).isEqualTo(2);
    }

    @Test
    void aBuildThatFailsIsShown() throws Exception {
        command("mvn", "echo cannot compile; exit 1");
        assertThat(run("state"))
                .satisfies(
                        ended -> assertThat(ended.code()).isEqualTo(2),
                        ended -> assertThat(ended.output())
                                .contains(
                                        "cannot compile\nshelfmark: error: the build failed; its whole output is in "));
    }

    @Test
    void aBuildThatLeavesNoCommandIsShown() throws Exception {
        command("mvn", "exit 0");
        assertThat(run("state"))
                .satisfies(
                        ended -> assertThat(ended.code()).isEqualTo(2),
                        ended ->
                                assertThat(ended.output()).contains("shelfmark: error: the build left no command in "));
    }

    @Test
    void withoutMavenItSaysWhatToInstall() throws Exception {
        for (String command : List.of("bash", "dirname", "basename", "sed", "head", "find")) {
            command(command, "exec '%s' \"$@\"".formatted(onPath(command)));
        }
        assertThat(runWithPath(commands.toString(), "state"))
                .isEqualTo(
                        new Ended(
                                2,
                                "shelfmark: error: Shelfmark is not built yet and Maven (mvn) is not on the PATH; install Maven 3.8 or newer\n"));
    }
}
