package dev.shelfmark.compat.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports on the loopback interface, held until {@link #close}. They lie below the range from which systems give out ports by
 * themselves: no client's connection takes one while a broker is down.
 */
final class Ports implements AutoCloseable {

    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;
    private static final int ATTEMPTS = 200;

    private final List<ServerSocket> held = new ArrayList<>();

    int next() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            Optional<ServerSocket> socket = bind(port);
            if (socket.isPresent()) {
                held.add(socket.get());
                return port;
            }
        }
        throw new IllegalStateException(
                "no free port found between " + LOWEST + " and " + HIGHEST + " in " + ATTEMPTS + " attempts");
    }

    private static Optional<ServerSocket> bind(int port) {
        try {
            return Optional.of(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
        } catch (IOException taken) {
            return Optional.empty();
        }
    }

    /** Lets them go, for a broker to take. */
    @Override
    public void close() {
        for (ServerSocket socket : held) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException("can't free port " + socket.getLocalPort(), e);
            }
        }
        held.clear();
    }
}
