package dev.shelfmark.quickstart;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

/** What must be true of this machine before anything is started. */
final class Preflight {

    private static final long MIB = 1024 * 1024;
    private static final long NEEDED_MIB = 600;
    private static final int HIGHEST_PORT = 65_535;

    private Preflight() {}

    static void check(Path directory, int port) {
        long free = freeMib(directory);
        if (free < NEEDED_MIB) {
            throw new CannotBegin(
                    "only " + free + " MiB are free on the disk of " + directory + ", and " + NEEDED_MIB
                            + " MiB are needed; free some, or let the environment variable TMPDIR name a directory on another disk");
        }
        if (port < 0 || port > HIGHEST_PORT) {
            throw new CannotBegin("--port " + port + " is not a port; give one from 1 to " + HIGHEST_PORT);
        }
        if (port != 0) {
            requireFree(port);
        }
    }

    private static void requireFree(int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            if (probe.getLocalPort() != port) {
                throw new IllegalStateException("asked for port " + port + ", got " + probe.getLocalPort());
            }
        } catch (IOException e) {
            throw new CannotBegin("port " + port + " can't be used (" + e.getMessage()
                    + "); give another with --port, or leave --port out to have a free one chosen");
        }
    }

    private static long freeMib(Path directory) {
        try {
            return Files.getFileStore(directory.getParent()).getUsableSpace() / MIB;
        } catch (IOException e) {
            throw new UncheckedIOException("can't tell how much of the disk of " + directory + " is free", e);
        }
    }
}
