package dev.shelfmark.jdbc.transport;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** A socket over which sessions start in UTC. */
final class UtcSocket extends Socket {

    private @Nullable OutputStream out;

    @Override
    public synchronized OutputStream getOutputStream() throws IOException {
        OutputStream made = out;
        if (made == null) {
            made = new UtcStartup(super.getOutputStream());
            out = made;
        }
        return made;
    }
}
