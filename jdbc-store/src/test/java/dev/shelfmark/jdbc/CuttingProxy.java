package dev.shelfmark.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A network between store and server that can lose what passes it. */
final class CuttingProxy implements AutoCloseable {

    /** What becomes of bytes. */
    enum Mode {
        PASS,
        /** Requests arrive, answers do not, and the connection breaks when the first answer comes. */
        CUT_AT_ANSWER,
        /** The connection breaks before a request arrives. */
        CUT_AT_REQUEST,
        /** Requests arrive, answers do not, and nothing breaks. */
        SILENT
    }

    private final ServerSocket listener;
    private final int target;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile Mode mode = Mode.PASS;

    CuttingProxy(int target) {
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            this.target = target;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    void mode(Mode next) {
        mode = next;
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "cutting-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(client);
                sockets.add(server);
                start(() -> pump(client, server, Mode.CUT_AT_REQUEST));
                start(() -> pump(server, client, Mode.CUT_AT_ANSWER));
            }
        } catch (IOException e) {
            // The listener was closed: the test is over.
            closeAll();
        }
    }

    private void pump(Socket from, Socket to, Mode cut) {
        byte[] buffer = new byte[8192];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (mode == cut) {
                    return;
                }
                if (mode != Mode.SILENT || cut == Mode.CUT_AT_REQUEST) {
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException e) {
            // One side went away, which closes the other: that is what a broken connection looks like.
            return;
        }
    }

    private void closeAll() {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        closeAll();
    }
}
