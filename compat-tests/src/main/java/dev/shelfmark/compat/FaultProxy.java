package dev.shelfmark.compat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on this machine between a store and its server that can misbehave. It knows nothing of what it carries.
 */
public final class FaultProxy implements Faults {

    private static final long STOP_MILLIS = 5_000;

    private final InetSocketAddress server;
    private final int port;
    private final FaultPlan plan = new FaultPlan();
    private final LongAdder carried = new LongAdder();
    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private @Nullable ServerSocket listening;
    private @Nullable Thread acceptor;
    private boolean closed;

    /** In front of a server; healthy at first. */
    public FaultProxy(String host, int serverPort) {
        this.server = new InetSocketAddress(host, serverPort);
        try {
            ServerSocket first = bind(0);
            this.port = first.getLocalPort();
            listen(first);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where the store has to connect to. */
    public String host() {
        return InetAddress.getLoopbackAddress().getHostAddress();
    }

    /** The port at {@link #host}; stays the same while connections are refused. */
    public int port() {
        return port;
    }

    /** How many bytes were carried so far, both ways together. */
    public long carriedBytes() {
        return carried.sum();
    }

    private static ServerSocket bind(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return socket;
    }

    private void listen(ServerSocket socket) {
        listening = socket;
        Thread thread = new Thread(() -> accept(socket), "fault-proxy-" + port);
        thread.setDaemon(true);
        thread.start();
        acceptor = thread;
    }

    private void accept(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                ProxiedConnection connection =
                        new ProxiedConnection(client, server, plan, carried::add, connections::remove);
                connections.add(connection);
                connection.start();
                if (socket.isClosed()) {
                    connection.cut();
                }
            } catch (IOException e) {
                // Either the listening socket was closed, which ends the loop, or one client went away while it
                // connected.
            }
        }
    }

    @Override
    public synchronized void refuse() {
        stopListening();
        cut();
    }

    private synchronized void stopListening() {
        if (listening == null || acceptor == null) {
            return;
        }
        try {
            listening.close();
            // The system goes on accepting until the thread that waits for clients has noticed.
            acceptor.join(STOP_MILLIS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        listening = null;
        acceptor = null;
    }

    @Override
    public void cut() {
        connections.forEach(ProxiedConnection::cut);
    }

    @Override
    public void cutBeforeRequest(int requests) {
        plan.arm(FaultPlan.Single.CUT_BEFORE, requests);
    }

    @Override
    public void swallowAnswer(int requests) {
        plan.arm(FaultPlan.Single.SWALLOW_ANSWER, requests);
    }

    @Override
    public boolean happened() {
        return plan.happened();
    }

    @Override
    public void delay(Duration delay) {
        plan.delay(delay);
    }

    @Override
    public void blackHole() {
        plan.hold();
    }

    @Override
    public synchronized void heal() {
        plan.clear();
        if (listening == null && !closed) {
            try {
                listen(bind(port));
            } catch (IOException e) {
                throw new UncheckedIOException("port " + port + " was taken by someone else meanwhile", e);
            }
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        refuse();
        plan.clear();
    }
}
