package dev.shelfmark.compat.dynamodb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A {@code dynoxide} process on a free port of this machine. */
final class DynoxideServer implements DynamoDbServer {

    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);
    private static final int STARTS = 3;
    private static final int LOOK_AGAIN_MILLIS = 20;

    private final Process process;
    private final @Nullable Thread atExit;
    private final int port;

    private DynoxideServer(Process process, int port, @Nullable Thread atExit) {
        this.process = process;
        this.port = port;
        this.atExit = atExit;
    }

    /** Keeps its data in memory, and ends with this JVM. */
    static DynoxideServer start() {
        return start((process, port) -> {
            Thread atExit = new Thread(process::destroyForcibly, "dynoxide-stop");
            Runtime.getRuntime().addShutdownHook(atExit);
            return new DynoxideServer(process, port, atExit);
        });
    }

    /** Keeps its data in a directory, and goes on when this JVM ends. */
    static DynoxideServer startIn(Path directory) {
        return start(
                (process, port) -> new DynoxideServer(process, port, null),
                "--db-path",
                directory.resolve("dynamodb.sqlite").toString());
    }

    private static DynoxideServer start(BiFunction<Process, Integer, DynoxideServer> of, String... arguments) {
        Path binary = DynoxideBinary.install();
        for (int starts = 1; ; starts++) {
            int port = freePort();
            DynoxideServer server = of.apply(run(binary, port, arguments), port);
            if (server.answers()) {
                return server;
            }
            server.close();
            if (starts == STARTS) {
                throw new IllegalStateException(
                        "dynoxide (" + binary + ") does not answer on a free port within " + START_LIMIT);
            }
        }
    }

    private static Process run(Path binary, int port, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(binary.toString(), "--host", "127.0.0.1", "--port", Integer.toString(port)));
        command.addAll(List.of(arguments));
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("can't start " + binary, e);
        }
    }

    /** The port may be taken between this look and the start, so that starting is tried more than once. */
    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on this machine", e);
        }
    }

    private boolean answers() {
        long end = System.nanoTime() + START_LIMIT.toNanos();
        while (process.isAlive() && System.nanoTime() - end < 0) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
                return true;
            } catch (IOException notYet) {
                if (!waitALittle()) {
                    return false;
                }
            }
        }
        return false;
    }

    /** False when the process has ended meanwhile, or this thread shall. */
    private boolean waitALittle() {
        try {
            return !process.waitFor(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + port);
    }

    @Override
    public String description() {
        return "dynoxide " + DynoxideBinary.VERSION + ", process " + process.pid();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        if (atExit != null) {
            removeHook(atExit);
        }
    }

    private void removeHook(Thread atExit) {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException alreadyExiting) {
            process.destroyForcibly();
        }
    }
}
