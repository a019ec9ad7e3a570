package dev.shelfmark.jdbc;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Tells its clients a process id of its own, as poolers do, and passes on everything else, prepared statements and their names included. */
final class PassingPooler implements AutoCloseable {

    private static final int BACKEND_KEY_DATA = 'K';

    private final ServerSocket clients = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int server;

    PassingPooler(int server) throws IOException {
        this.server = server;
        start(this::accept);
    }

    String url(String database) {
        return "jdbc:postgresql://localhost:" + clients.getLocalPort() + "/" + database;
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // One of both has left.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = clients.accept();
            Socket backend = new Socket(InetAddress.getLoopbackAddress(), server);
            start(() -> {
                try (client;
                        backend) {
                    client.getInputStream().transferTo(backend.getOutputStream());
                }
            });
            start(() -> {
                try (client;
                        backend) {
                    answer(
                            new DataInputStream(backend.getInputStream()),
                            new DataOutputStream(client.getOutputStream()));
                }
            });
        }
    }

    private static void answer(DataInputStream from, DataOutputStream to) throws IOException {
        // The one message without a length: no encryption.
        to.writeByte(from.readByte());
        while (true) {
            int type = from.readUnsignedByte();
            int length = from.readInt();
            byte[] content = from.readNBytes(length - Integer.BYTES);
            if (type == BACKEND_KEY_DATA) {
                content[Integer.BYTES - 1] ^= 1;
            }
            to.writeByte(type);
            to.writeInt(length);
            to.write(content);
            to.flush();
        }
    }

    @Override
    public void close() throws IOException {
        clients.close();
    }
}
