package dev.shelfmark.tool.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.tool.Shelfmark;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process that is told to stop. */
@Timeout(60)
class StopSignalTest {

    @TempDir
    private Path directory = Path.of("");

    @Test
    void aCommandThatWaitsForBrokersSaysAtOnceThatItStops() throws IOException {
        Path config = Files.writeString(
                directory.resolve("owner.properties"), "store=jdbc\njdbc.url=jdbc:postgresql://127.0.0.1:1/none\n");
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Shelfmark.class.getName(),
                            "import",
                            "--config",
                            config.toString(),
                            "--bootstrap-server",
                            silent.getInetAddress().getHostAddress() + ":" + silent.getLocalPort())
                    .redirectErrorStream(true)
                    .directory(directory.toFile())
                    .start();
            silent.setSoTimeout(40_000);
            try (Socket waiting = silent.accept();
                    BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
                assertThat(waiting.isConnected()).isTrue();
                // Not the process's own, which closes what it prints.
                assertThat(process.toHandle().destroy()).isTrue();
                long told = System.nanoTime();

                assertThat(output.readLine()).startsWith("stopping: ");
                assertThat(System.nanoTime() - told).as("nanoseconds").isLessThan(10_000_000_000L);
            } finally {
                process.destroyForcibly();
            }
        }
    }
}
