package dev.shelfmark.compat.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import dev.shelfmark.compat.SkippedBackEnds;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicIdPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What comes with a release for those who watch: each metric that the alert rules and the dashboard name is served, by a real broker with
 * Prometheus' JMX exporter in it, or written by the check.
 */
@Tag("broker")
final class ObservabilityBrokerTest {

    private static final Path FOLDER =
            KafkaDistribution.module().toAbsolutePath().resolveSibling("observability");
    private static final Path AGENT = KafkaDistribution.module()
            .toAbsolutePath()
            .resolve("target")
            .resolve("observability")
            .resolve("jmx_prometheus_javaagent.jar");
    private static final Pattern METRIC = Pattern.compile("\\bshelfmark_[a-z0-9_]+");
    /** Counted after a deadlock between two transactions of the store, which nothing outside of it can bring about. */
    private static final String AFTER_A_DEADLOCK = "shelfmark_store_retries_total";

    private static final long LONG_AGO =
            System.currentTimeMillis() - Duration.ofDays(30).toMillis();

    @TempDir
    private Path directory;

    @Test
    void everyMetricOfTheRulesAndTheDashboardIsThere() throws Exception {
        SkippedBackEnds.abortIfNamed("postgres");
        Set<String> used = new TreeSet<>();
        used.addAll(metrics(Files.readString(FOLDER.resolve("prometheus-alerts.yml"))));
        used.addAll(metrics(Files.readString(FOLDER.resolve("grafana-dashboard.json"))));
        assertThat(used).contains("shelfmark_ready", "shelfmark_anomalies", AFTER_A_DEADLOCK);
        used.remove(AFTER_A_DEADLOCK);
        try (SingleBroker single =
                new SingleBroker(JdbcCatalogue::start, "rlmm.config.cache.outage.max.staleness.ms", "60000")) {
            String served = String.join("\n", check(single), provoke(single, used));
            assertThat(metrics(samples(served))).containsAll(used);
        }
    }

    /** Makes each thing happen that is counted only once it has happened; the check's findings are planted before. */
    private static String provoke(SingleBroker single, Set<String> used) throws Exception {
        TieredTopic topic = single.cluster().create(TopicSpec.named("watched", 1));
        TopicIdPartition partition = new TopicIdPartition(topic.id(), topic.partition(0));
        String address = attach(single.broker());
        try (Ledger ledger = new Ledger(topic, 0)) {
            ledger.write(300);
            topic.awaitTiered(0);
            assertThat(ledger.verify().records()).isEqualTo(300);
            // Another writer, of whom the leader has not heard.
            single.catalogue()
                    .write(
                            single.cluster().clusterId(),
                            partition,
                            List.of(Events.added(UUID.randomUUID(), 1_000_000, 1_000_009)));
            ledger.write(300);
            topic.awaitTiered(0);

            single.catalogue().stop();
            assertThat(ledger.verify().records()).isEqualTo(600);
            ledger.write(300);
            Set<String> ofBrokers = used.stream()
                    .filter(name -> !name.contains("anomal") && !name.contains("_check_"))
                    .collect(Collectors.toCollection(TreeSet::new));
            TwoBrokers.eventually(
                    "every metric to be served",
                    () -> assertThat(metrics(samples(scrape(address)))).containsAll(ofBrokers));
            return scrape(address);
        }
    }

    /** The agent as it comes from Maven Central, in a broker that runs already. */
    private static String attach(Broker broker) throws Exception {
        int port;
        try (Ports ports = new Ports()) {
            port = ports.next();
        }
        VirtualMachine machine = VirtualMachine.attach(Long.toString(broker.pid()));
        try {
            machine.loadAgent(AGENT.toString(), "127.0.0.1:" + port + ":" + FOLDER.resolve("jmx-exporter.yml"));
        } finally {
            machine.detach();
        }
        return "http://127.0.0.1:" + port + "/metrics";
    }

    private static String scrape(String address) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                    .timeout(Duration.ofSeconds(30))
                    .build();
            HttpResponse<String> answer =
                    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            return answer.body();
        } catch (IOException e) {
            throw new AssertionError("can't scrape " + address, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /** What the check writes of a catalogue with an upload that never ended. */
    private String check(SingleBroker single) throws Exception {
        String cluster = single.cluster().clusterId();
        single.catalogue().register(cluster);
        TopicIdPartition elsewhere = new TopicIdPartition(
                org.apache.kafka.common.Uuid.randomUuid(), new org.apache.kafka.common.TopicPartition("elsewhere", 0));
        single.catalogue().write(cluster, elsewhere, List.of(Events.added(UUID.randomUUID(), 0, 9, LONG_AGO)));
        Path file = directory.resolve("shelfmark.prom");
        ShelfmarkCommand.Result checked = ShelfmarkCommand.in(
                        directory,
                        single.catalogue().auditorSettings(),
                        single.cluster().bootstrapServers())
                .ask("check", "--metrics", file.toString());
        assertThat(checked.exit()).as(checked.output()).isEqualTo(1);
        String written = Files.readString(file);
        assertThat(written)
                .contains("shelfmark_anomalies{cluster=\"" + cluster + "\",kind=\"DANGLING_COPY\"} 1\n")
                .contains("shelfmark_oldest_anomaly_timestamp_seconds{cluster=\"" + cluster
                        + "\",kind=\"DANGLING_COPY\"} " + LONG_AGO / 1000 + "\n");
        return written;
    }

    private static String samples(String served) {
        return served.lines().filter(line -> !line.startsWith("#")).collect(Collectors.joining("\n"));
    }

    private static Set<String> metrics(String text) {
        Set<String> names = new TreeSet<>();
        Matcher matcher = METRIC.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group());
        }
        return names;
    }
}
