package dev.shelfmark.soak;

import dev.shelfmark.compat.broker.Broker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What brokers hold and log: their threads and live heap must come back to where they were, and lines of log must stay bounded. */
final class Resources {

    /** A thread or two of Kafka's pools come with need. */
    private static final int MORE_THREADS = 60;

    private static final long MORE_HEAP_KIB = 128 * 1024;

    /** Of a whole broker through kills and outages; a flood is a hundred times as much. */
    private static final int LINES_A_MINUTE = 20_000;

    private static final Pattern HEAP = Pattern.compile("used (\\d+)K");
    private static final Pattern MINUTE = Pattern.compile("^(\\d\\d:\\d\\d):\\d\\d");

    private final List<Broker> brokers;
    private final Map<Integer, Held> before = new HashMap<>();

    private record Held(long threads, long heapKib) {}

    Resources(List<Broker> brokers) {
        this.brokers = brokers;
        brokers.forEach(broker -> before.put(broker.id(), held(broker)));
    }

    /** What has not come back. */
    List<String> excess() {
        List<String> wrong = new ArrayList<>();
        for (Broker broker : brokers) {
            Held then = before.getOrDefault(broker.id(), new Held(0, 0));
            Held now = held(broker);
            if (now.threads() > then.threads() + MORE_THREADS) {
                wrong.add(broker + " has " + now.threads() + " threads; it had " + then.threads());
            }
            if (now.heapKib() > then.heapKib() + MORE_HEAP_KIB) {
                wrong.add(broker + " holds " + now.heapKib() / 1024 + " MiB of heap; it held " + then.heapKib() / 1024);
            }
        }
        return wrong;
    }

    String summary() {
        StringBuilder all = new StringBuilder();
        for (Broker broker : brokers) {
            Held then = before.getOrDefault(broker.id(), new Held(0, 0));
            Held now = held(broker);
            all.append(broker + ": threads " + then.threads() + " -> " + now.threads() + ", heap "
                    + then.heapKib() / 1024 + " -> " + now.heapKib() / 1024 + " MiB, most lines in a minute "
                    + mostLines(broker) + "; ");
        }
        return all.toString();
    }

    /** What is wrong with the logs. */
    List<String> logs() {
        List<String> wrong = new ArrayList<>();
        for (Broker broker : brokers) {
            int most = mostLines(broker);
            if (most > LINES_A_MINUTE) {
                wrong.add(broker + " logged " + most + " lines in a minute");
            }
            int pools = broker.logLines("HikariPool").size();
            if (pools > 0) {
                wrong.add(broker + " logged " + pools + " lines of the connection pool, such as "
                        + broker.logLines("HikariPool").get(0));
            }
        }
        return wrong;
    }

    private static int mostLines(Broker broker) {
        int most = 0;
        int lines = 0;
        String minute = "";
        try (BufferedReader log = Files.newBufferedReader(broker.log(), StandardCharsets.ISO_8859_1)) {
            for (String line = log.readLine(); line != null; line = log.readLine()) {
                Matcher time = MINUTE.matcher(line);
                if (time.find() && !time.group(1).equals(minute)) {
                    minute = time.group(1);
                    lines = 0;
                }
                most = Math.max(most, ++lines);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can't read " + broker.log(), e);
        }
        return most;
    }

    private static Held held(Broker broker) {
        try {
            long threads = Files.readAllLines(Path.of("/proc", Long.toString(broker.pid()), "status")).stream()
                    .filter(line -> line.startsWith("Threads:"))
                    .mapToLong(line ->
                            Long.parseLong(line.substring("Threads:".length()).trim()))
                    .findFirst()
                    .orElse(0);
            String unused = jcmd(broker, "GC.run");
            Matcher used = HEAP.matcher(jcmd(broker, "GC.heap_info"));
            long heap = 0;
            while (used.find()) {
                // The generations of the serial collector; the rest is metadata, of classes.
                heap += Long.parseLong(used.group(1));
            }
            return new Held(threads, heap);
        } catch (IOException e) {
            throw new UncheckedIOException("can't look at " + broker, e);
        }
    }

    private static String jcmd(Broker broker, String command) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        Long.toString(broker.pid()),
                        command)
                .redirectErrorStream(true)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
