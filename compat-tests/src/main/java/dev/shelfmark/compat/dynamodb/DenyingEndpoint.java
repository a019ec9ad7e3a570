package dev.shelfmark.compat.dynamodb;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Answers every request as DynamoDB answers one that is signed with a key it does not know: emulators take any key. */
final class DenyingEndpoint implements AutoCloseable {

    private static final byte[] ANSWER = """
            {"__type":"com.amazon.coral.service#UnrecognizedClientException",\
            "message":"The security token included in the request is invalid."}""".getBytes(StandardCharsets.UTF_8);

    private final HttpServer server;

    DenyingEndpoint() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().add("Content-Type", "application/x-amz-json-1.0");
            exchange.sendResponseHeaders(400, ANSWER.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(ANSWER);
            }
        });
        server.start();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
