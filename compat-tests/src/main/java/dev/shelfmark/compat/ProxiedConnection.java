package dev.shelfmark.compat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** One connection of a {@link FaultProxy}: two threads, one for each direction. */
final class ProxiedConnection {

    private static final int CONNECT_MILLIS = 5_000;
    private static final int CHUNK = 64 * 1024;
    private static final Duration LONGEST_HOLD = Duration.ofMinutes(2);

    private final Socket client;
    private final Socket server = new Socket();
    private final InetSocketAddress address;
    private final FaultPlan plan;
    private final LongConsumer carried;
    private final Consumer<ProxiedConnection> whenDone;
    private final AtomicBoolean answered = new AtomicBoolean(true);
    private volatile boolean swallowing;

    /** Carries nothing until it is started, and then tells of every byte before it passes it on. */
    ProxiedConnection(
            Socket client,
            InetSocketAddress address,
            FaultPlan plan,
            LongConsumer carried,
            Consumer<ProxiedConnection> whenDone) {
        this.client = client;
        this.address = address;
        this.plan = plan;
        this.carried = carried;
        this.whenDone = whenDone;
    }

    void start() {
        thread("requests", this::requests);
    }

    private void thread(String name, Runnable body) {
        Thread thread = new Thread(body, "fault-proxy-" + name + "-" + client.getPort());
        thread.setDaemon(true);
        thread.start();
    }

    private void requests() {
        try {
            hold(false);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            server.connect(new InetSocketAddress(address.getHostString(), address.getPort()), CONNECT_MILLIS);
            thread("answers", this::answers);
            byte[] chunk = new byte[CHUNK];
            for (int read; (read = client.getInputStream().read(chunk)) >= 0; ) {
                hold(true);
                if (answered.getAndSet(false)) {
                    FaultPlan.Single fault = plan.requestBegins();
                    if (fault == FaultPlan.Single.CUT_BEFORE) {
                        cut();
                        return;
                    }
                    swallowing = fault == FaultPlan.Single.SWALLOW_ANSWER;
                }
                carried.accept(read);
                server.getOutputStream().write(chunk, 0, read);
            }
            // What the client sent before it went away has been delivered by now, as a network would.
            cut();
        } catch (IOException e) {
            cut();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cut();
        }
    }

    private void answers() {
        try {
            byte[] chunk = new byte[CHUNK];
            for (int read; (read = server.getInputStream().read(chunk)) >= 0; ) {
                if (swallowing) {
                    break;
                }
                hold(false);
                answered.set(true);
                carried.accept(read);
                client.getOutputStream().write(chunk, 0, read);
            }
            cut();
        } catch (IOException e) {
            cut();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            cut();
        }
    }

    private void hold(boolean request) throws InterruptedException, IOException {
        if (!plan.letPass(request, LONGEST_HOLD, client::isClosed)) {
            throw new IOException("cut while it was held");
        }
    }

    /** Both ends see the connection end; may be called by anyone, at any time. */
    void cut() {
        closeQuietly(client);
        closeQuietly(server);
        whenDone.accept(this);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // A socket that can't be closed is as good as cut: nothing more passes through it.
            return;
        }
    }
}
