package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The proxy does what it says, on a server that answers each byte with its successor. */
@Timeout(30)
final class FaultProxyTest {

    private final AtomicInteger received = new AtomicInteger();
    private ServerSocket server;
    private FaultProxy proxy;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        proxy = new FaultProxy(server.getInetAddress().getHostAddress(), server.getLocalPort());
        thread(() -> {
            while (true) {
                Socket client = server.accept();
                thread(() -> {
                    for (int read; (read = client.getInputStream().read()) >= 0; ) {
                        received.incrementAndGet();
                        client.getOutputStream().write(read + 1);
                    }
                });
            }
        });
    }

    private interface Body {
        void run() throws IOException;
    }

    private static void thread(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (IOException e) {
                // The connection was cut, which is what these tests do.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        server.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(proxy.host(), proxy.port());
        socket.setSoTimeout(10_000);
        return socket;
    }

    private static int ask(Socket socket, int request) throws IOException {
        socket.getOutputStream().write(request);
        return socket.getInputStream().read();
    }

    /** Whether the connection is at its end, in whatever way the system says so. */
    private static boolean ended(Socket socket, int request) {
        try {
            return ask(socket, request) == -1;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void passesOn() throws IOException {
        Socket socket = connect();
        for (int i = 0; i < 50; i++) {
            assertThat(ask(socket, i)).isEqualTo(i + 1);
        }
    }

    @Test
    void refusesAndComesBackOnTheSamePort() throws IOException {
        Socket socket = connect();
        assertThat(ask(socket, 1)).isEqualTo(2);
        proxy.refuse();
        assertThat(ended(socket, 1)).isTrue();
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
        proxy.heal();
        assertThat(ask(connect(), 1)).isEqualTo(2);
    }

    @Test
    void cutsWhatIsOpen() throws IOException {
        Socket socket = connect();
        assertThat(ask(socket, 1)).isEqualTo(2);
        proxy.cut();
        assertThat(ended(socket, 1)).isTrue();
        assertThat(ask(connect(), 5)).isEqualTo(6);
    }

    @Test
    void cutsBeforeTheRequestReachesTheServer() throws IOException {
        Socket socket = connect();
        proxy.cutBeforeRequest(3);
        assertThat(ask(socket, 1)).isEqualTo(2);
        assertThat(ask(socket, 1)).isEqualTo(2);
        assertThat(proxy.happened()).isFalse();
        assertThat(ended(socket, 1)).isTrue();
        assertThat(proxy.happened()).isTrue();
        assertThat(received).hasValue(2);
        assertThat(ask(connect(), 1)).isEqualTo(2);
    }

    @Test
    void swallowsTheAnswerAfterTheServerHasTheRequest() throws IOException {
        Socket socket = connect();
        proxy.swallowAnswer(2);
        assertThat(ask(socket, 1)).isEqualTo(2);
        assertThat(ended(socket, 1)).isTrue();
        assertThat(received).hasValue(2);
    }

    @Test
    void holdsAndDeliversLate() throws IOException {
        Socket socket = connect();
        assertThat(ask(socket, 1)).isEqualTo(2);
        proxy.blackHole();
        socket.setSoTimeout(100);
        assertThatThrownBy(() -> ask(socket, 7)).isInstanceOf(SocketTimeoutException.class);
        socket.close();
        assertThat(received).hasValue(1);
        proxy.heal();
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> received.get() == 2);
    }

    @Test
    void delays() throws IOException {
        Socket socket = connect();
        proxy.delay(Duration.ofMillis(150));
        long start = System.nanoTime();
        assertThat(ask(socket, 1)).isEqualTo(2);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(149));
    }
}
