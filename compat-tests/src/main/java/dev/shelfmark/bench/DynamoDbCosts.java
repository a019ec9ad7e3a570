package dev.shelfmark.bench;

import dev.shelfmark.compat.broker.DynamoDbCatalogue;
import dev.shelfmark.compat.broker.FileTrees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.Uuid;

/**
 * What each operation asks of DynamoDB, counted on an emulator at two sizes. How long it takes, an emulator can't tell.
 */
final class DynamoDbCosts {

    private static final int PARTITIONS = 10;
    private static final int LIVE = 200;
    private static final long HEAP_MIB = 512;

    /** An emulator on a busy machine is slower than DynamoDB, and a request that is sent again would be counted twice. */
    private static final Map<String, String> PATIENT =
            Map.of("dynamodb.request.timeout.ms", "30000", "dynamodb.call.timeout.ms", "90000");

    private DynamoDbCosts() {}

    /** Starts an emulator, or uses what there is, and adds what was counted. */
    static void measure(Progress progress, Samples samples) {
        Path directory = directory();
        try (DynamoDbCatalogue server = progress.step("start DynamoDB", DynamoDbCatalogue::start)) {
            ProbeJvm jvm = new ProbeJvm(directory, HEAP_MIB);
            count(server, jvm, progress, samples, Comparison.TENTH, LIVE / 10);
            count(server, jvm, progress, samples, Comparison.ALL, LIVE);
        } finally {
            FileTrees.delete(directory);
        }
    }

    private static void count(
            DynamoDbCatalogue server, ProbeJvm jvm, Progress progress, Samples samples, String size, int live) {
        Layout layout = new Layout("dynamodb-" + size, PARTITIONS, 0, live);
        String clusterId = Uuid.randomUuid().toString();
        Map<String, String> owner = server.ownerSettings();
        Map<String, String> broker = server.brokerSettings();
        owner.putAll(PATIENT);
        broker.putAll(PATIENT);
        String name = Comparison.DYNAMODB + "." + size;
        samples.add(
                name,
                progress.step(
                        "bring " + layout.liveSegments() + " segments in, " + Measurement.COSTS + " " + name, () -> {
                            new StoreFiller(owner).fill(clusterId, layout);
                            return jvm.run(
                                    Measurement.COSTS,
                                    TestBed.shelfmark(server.store(), broker, clusterId, layout)
                                            .with(Costs.LED, PARTITIONS));
                        }));
    }

    private static Path directory() {
        try {
            return Files.createTempDirectory("shelfmark-bench-");
        } catch (IOException e) {
            throw new UncheckedIOException("can't create a directory", e);
        }
    }
}
