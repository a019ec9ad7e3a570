package dev.shelfmark.tool.storage;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** As much of S3's API as the audit asks: lists in short pages, looks and deletes. The SDK in front of it is the real one. */
public final class SmallS3 implements AutoCloseable {

    private static final int PAGE = 3;

    public final ConcurrentSkipListMap<String, Entry> objects = new ConcurrentSkipListMap<>();
    public final List<String> deleted = new ArrayList<>();
    /** Whether every request is refused. */
    public volatile boolean denying;

    /** Keys that were read. */
    public final List<String> read = Collections.synchronizedList(new ArrayList<>());

    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final HttpServer server;

    /** An object; one of which only the size matters has no content. */
    public record Entry(long size, Instant lastModified, String content) {
        public Entry(long size, Instant lastModified) {
            this(size, lastModified, "");
        }

        public Entry(String content, Instant lastModified) {
            this(content.getBytes(StandardCharsets.UTF_8).length, lastModified, content);
        }
    }

    public SmallS3() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String[] path = exchange.getRequestURI().getPath().split("/", 3);
            String key = path.length > 2 ? path[2] : "";
            if (denying) {
                send(exchange, 403, "<Error><Code>AccessDenied</Code><Message>no</Message></Error>");
            } else if (exchange.getRequestMethod().equals("DELETE")) {
                objects.remove(key);
                deleted.add(key);
                exchange.sendResponseHeaders(204, -1);
            } else if (exchange.getRequestMethod().equals("HEAD")) {
                Entry entry = objects.get(key);
                if (entry != null) {
                    exchange.getResponseHeaders().add("Content-Length", Long.toString(entry.size()));
                    exchange.getResponseHeaders()
                            .add(
                                    "Last-Modified",
                                    DateTimeFormatter.RFC_1123_DATE_TIME.format(
                                            entry.lastModified().atOffset(ZoneOffset.UTC)));
                }
                exchange.sendResponseHeaders(entry == null ? 404 : 200, -1);
            } else if (!key.isEmpty()) {
                read.add(key);
                Entry entry = objects.get(key);
                if (entry == null) {
                    send(exchange, 404, "<Error><Code>NoSuchKey</Code><Message>no</Message></Error>");
                } else {
                    byte[] content = entry.content().getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, content.length == 0 ? -1 : content.length);
                    exchange.getResponseBody().write(content);
                }
            } else {
                send(exchange, 200, list(query(exchange)));
            }
        }
    }

    private static Map<String, String> query(HttpExchange exchange) {
        Map<String, String> query = new HashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        for (String pair : raw == null ? new String[0] : raw.split("&")) {
            String[] parts = pair.split("=", 2);
            query.put(parts[0], parts.length > 1 ? URLDecoder.decode(parts[1], StandardCharsets.UTF_8) : "");
        }
        return query;
    }

    private String list(Map<String, String> query) {
        String prefix = query.getOrDefault("prefix", "");
        List<Map.Entry<String, Entry>> found =
                objects.tailMap(query.getOrDefault("continuation-token", ""), false).entrySet().stream()
                        .filter(entry -> entry.getKey().startsWith(prefix))
                        .toList();
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?><ListBucketResult>");
        found.stream()
                .limit(PAGE)
                .forEach(entry -> xml.append("<Contents><Key>")
                        .append(entry.getKey())
                        .append("</Key><Size>")
                        .append(entry.getValue().size())
                        .append("</Size><LastModified>")
                        .append(entry.getValue().lastModified())
                        .append("</LastModified></Contents>"));
        if (found.size() > PAGE) {
            xml.append("<IsTruncated>true</IsTruncated><NextContinuationToken>")
                    .append(found.get(PAGE - 1).getKey())
                    .append("</NextContinuationToken>");
        }
        return xml.append("</ListBucketResult>").toString();
    }

    private static void send(HttpExchange exchange, int status, String xml) throws IOException {
        byte[] body = xml.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/xml");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
