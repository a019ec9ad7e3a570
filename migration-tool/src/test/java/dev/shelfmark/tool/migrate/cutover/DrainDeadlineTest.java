package dev.shelfmark.tool.migrate.cutover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.Brokers;
import dev.shelfmark.tool.kafka.MemoryBrokers;
import dev.shelfmark.tool.kafka.MetadataReader;
import dev.shelfmark.tool.migrate.exporting.CatalogueExport.Known;
import dev.shelfmark.tool.migrate.importing.ImportFixture;
import dev.shelfmark.tool.migrate.importing.RandomHistory;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is done while writes wait. */
final class DrainDeadlineTest {

    private final AtomicInteger polls = new AtomicInteger();

    @TempDir
    private Path directory = Path.of("");

    @Test
    void anExportThatTakesLongerIsGivenUpAtTheDeadline() {
        MemoryBrokers topic = new MemoryBrokers(ImportFixture.CLUSTER, 3);
        RandomHistory history = new RandomHistory(1, topic, 3, 2).withoutRepeatedAdds();
        history.write(700);
        ImportFixture catalogue = new ImportFixture(topic, directory);
        catalogue.runAll(700);
        List<PartitionKey> keys = history.partitions().stream()
                .map(partition -> KafkaMapping.key(ImportFixture.CLUSTER, partition))
                .toList();
        RollbackToTopic work = new RollbackToTopic(
                slow(topic),
                catalogue.store,
                ImportFixture.CLUSTER,
                () -> new Known(() -> keys, Map.of(), Map.of(), true),
                new ImportFixture.UntilCaughtUp(),
                () -> false,
                Duration.ofSeconds(1),
                line -> {});

        assertThatThrownBy(() -> work.finish(Deadline.in(Duration.ofMillis(200))))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("deadline");
        assertThat(polls).as("of a hundred that the whole takes").hasValueLessThan(50);
    }

    /** Brokers of whom each answer takes a tenth of a second, and all of them more than ten. */
    private Brokers slow(MemoryBrokers brokers) {
        return (Brokers) Proxy.newProxyInstance(
                Brokers.class.getClassLoader(), new Class<?>[] {Brokers.class}, (proxy, method, arguments) -> {
                    Object answer = method.invoke(brokers, arguments);
                    return answer instanceof MetadataReader reader ? slow(reader) : answer;
                });
    }

    private MetadataReader slow(MetadataReader reader) {
        return (MetadataReader) Proxy.newProxyInstance(
                MetadataReader.class.getClassLoader(),
                new Class<?>[] {MetadataReader.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("poll")) {
                        polls.incrementAndGet();
                        TimeUnit.MILLISECONDS.sleep(100);
                    }
                    return method.invoke(reader, arguments);
                });
    }
}
