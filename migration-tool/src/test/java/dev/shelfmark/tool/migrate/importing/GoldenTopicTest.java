package dev.shelfmark.tool.migrate.importing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.SegmentState;
import dev.shelfmark.tool.kafka.MemoryBrokers;
import dev.shelfmark.tool.migrate.importing.ImportCounters.TopicTally;
import dev.shelfmark.tool.migrate.verify.Difference;
import dev.shelfmark.tool.migrate.verify.Verification;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What real brokers of every supported version have left in the topic comes in whole, and is answered as Kafka's cache does. */
class GoldenTopicTest {

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"4.0.2", "4.1.2", "4.2.1", "4.3.1", "4.4.0"})
    void comesInWhole(String version) {
        MemoryBrokers brokers = new MemoryBrokers(ImportFixture.CLUSTER, 3);
        List<String> records = lines("/golden/kafka-" + version + ".txt");
        for (String record : records) {
            String[] fields = record.split(" ", -1);
            brokers.write(Integer.parseInt(fields[0]), Base64.getDecoder().decode(fields[3]));
        }
        ImportFixture catalogue = new ImportFixture(brokers, directory);

        Map<String, TopicTally> topics = catalogue.runAll(100).topics().values().stream()
                .collect(Collectors.toMap(TopicTally::name, topic -> topic));

        assertThat(topics.keySet()).containsExactlyInAnyOrder("kept", "limited", "gone");
        assertThat(topics.values().stream().mapToLong(TopicTally::events).sum())
                .as("events of all topics")
                .isEqualTo(records.size());
        topics.forEach((name, topic) -> {
            assertThat(topic.dropped()).as("dropped of " + name).isEmpty();
            assertThat(topic.misplaced()).as("misplaced of " + name).isZero();
        });
        assertThat(live(topics, "kept")).isGreaterThan(8);
        assertThat(live(topics, "limited")).isBetween(2L, 6L);
        assertThat(live(topics, "gone")).isZero();
        assertKafkasCacheAgrees(brokers, catalogue);
    }

    private static long live(Map<String, TopicTally> topics, String name) {
        return Objects.requireNonNull(topics.get(name)).segments(SegmentState.COPY_SEGMENT_FINISHED);
    }

    private static void assertKafkasCacheAgrees(MemoryBrokers brokers, ImportFixture catalogue) {
        List<Difference> differences = new ArrayList<>();
        Verification verification = new Verification(
                catalogue.store,
                catalogue.listing(),
                brokers,
                brokers.upTo(Long.MAX_VALUE),
                new ImportFixture.UntilCaughtUp(),
                () -> false,
                differences::add);
        verification.run();
        assertThat(differences).isEmpty();
        assertThat(verification.same()).isEqualTo(4);
        assertThat(verification.questions()).isGreaterThan(50);
    }

    /** In the order of the offsets of each metadata partition. */
    private static List<String> lines(String resource) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(GoldenTopicTest.class.getResourceAsStream(resource), resource),
                StandardCharsets.UTF_8))) {
            return reader.lines().filter(line -> !line.startsWith("#")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
