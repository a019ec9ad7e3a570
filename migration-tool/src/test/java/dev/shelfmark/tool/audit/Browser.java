package dev.shelfmark.tool.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A real, headless Chromium with one page, driven through its DevTools protocol. */
final class Browser implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long SECONDS = 60;
    private static final String LISTENING = "DevTools listening on ";

    private final Process process;
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final Queue<String> events = new ConcurrentLinkedQueue<>();

    /** What the page complained of: errors on its console, exceptions, refused requests. */
    final Queue<String> errors = new ConcurrentLinkedQueue<>();

    /** Where this machine has one. */
    static @Nullable Path executable() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .flatMap(directory -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    Browser(Path executable, Path profile) throws Exception {
        process = new ProcessBuilder(
                        executable.toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
                        "--window-size=1280,1000",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            URI browser = URI.create(address());
            HttpClient client = HttpClient.newHttpClient();
            String pages = client.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + browser.getPort() + "/json/list"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
            String page = "";
            for (JsonNode target : JSON.readTree(pages)) {
                page = target.get("type").asText().equals("page")
                        ? target.get("webSocketDebuggerUrl").asText()
                        : page;
            }
            socket = client.newWebSocketBuilder()
                    .buildAsync(URI.create(page), new Receiver())
                    .get(SECONDS, TimeUnit.SECONDS);
            for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
                send(domain + ".enable", Map.of());
            }
        } catch (Exception e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private String address() throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(LISTENING)) {
                Thread drain = new Thread(() -> lines.lines().forEach(unused -> {}), "chromium-stderr");
                drain.setDaemon(true);
                drain.start();
                return line.substring(LISTENING.length());
            }
        }
        throw new IOException("Chromium ended before it listened");
    }

    private final class Receiver implements WebSocket.Listener {
        private final StringBuilder message = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
            message.append(data);
            if (last) {
                receive(message.toString());
                message.setLength(0);
            }
            webSocket.request(1);
            return null;
        }
    }

    private void receive(String text) {
        try {
            JsonNode message = JSON.readTree(text);
            CompletableFuture<JsonNode> answer =
                    message.has("id") ? answers.remove(message.get("id").asInt()) : null;
            if (answer != null) {
                answer.complete(message);
                return;
            }
            String method = message.path("method").asText();
            events.add(method);
            boolean error = method.equals("Runtime.exceptionThrown")
                    || (method.equals("Runtime.consoleAPICalled")
                            && message.path("params").path("type").asText().matches("error|assert|warning"))
                    || method.equals("Log.entryAdded")
                    || (method.equals("Network.requestWillBeSent")
                            && !message.path("params")
                                    .path("request")
                                    .path("url")
                                    .asText()
                                    .matches("(file|data):.*"));
            if (error) {
                errors.add(text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JsonNode send(String method, Map<String, ?> parameters) throws Exception {
        int id = ids.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        answers.put(id, answer);
        String text = JSON.writeValueAsString(Map.of("id", id, "method", method, "params", parameters));
        socket.sendText(text, true).get(SECONDS, TimeUnit.SECONDS);
        JsonNode message = answer.get(SECONDS, TimeUnit.SECONDS);
        if (message.has("error")) {
            throw new IllegalStateException(method + ": " + message.get("error"));
        }
        return message.get("result");
    }

    void open(Path page, boolean dark) throws Exception {
        send(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
        events.clear();
        send("Page.navigate", Map.of("url", page.toUri().toString()));
        evaluate("new Promise(done => document.readyState === 'complete' ? done() : addEventListener('load', done))");
    }

    /** The value of an expression of JavaScript; of a promise, once it is kept. */
    String evaluate(String expression) throws Exception {
        JsonNode result =
                send("Runtime.evaluate", Map.of("expression", expression, "awaitPromise", true, "returnByValue", true));
        if (result.has("exceptionDetails")) {
            throw new IllegalStateException(result.get("exceptionDetails").toString());
        }
        return result.path("result").path("value").asText();
    }

    /** Presses and releases a key, as a keyboard does. */
    void press(String key, String text) throws Exception {
        for (String type : List.of("keyDown", "keyUp")) {
            send(
                    "Input.dispatchKeyEvent",
                    type.equals("keyDown") && !text.isEmpty()
                            ? Map.of("type", type, "key", key, "text", text)
                            : Map.of("type", type, "key", key, "windowsVirtualKeyCode", code(key)));
        }
    }

    private static int code(String key) {
        return switch (key) {
            case "Tab" -> 9;
            case "Escape" -> 27;
            case "ArrowUp" -> 38;
            case "ArrowDown" -> 40;
            default -> 0;
        };
    }

    void type(String text) throws Exception {
        for (String letter : text.split("", -1)) {
            if (!letter.isEmpty()) {
                press(letter, letter);
            }
        }
    }

    /** A picture of what is in the window. */
    byte[] screenshot() throws Exception {
        return Base64.getDecoder()
                .decode(send("Page.captureScreenshot", Map.of("format", "png"))
                        .get("data")
                        .asText());
    }

    @Override
    public void close() {
        socket.abort();
        process.destroy();
        try {
            process.onExit().get(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            process.destroyForcibly();
        }
    }
}
