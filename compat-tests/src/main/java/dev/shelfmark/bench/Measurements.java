package dev.shelfmark.bench;

import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

/** Runs everything that a plan asks for, each side in turn. */
final class Measurements implements AutoCloseable {

    private static final String CACHE = Side.MANAGER + "cache.max.segments";
    private static final int WRITE_ROUNDS = 2;

    private final Plan plan;
    private final Progress progress;
    private final Samples samples = new Samples();
    private final Site site;
    private final ProbeJvm jvm;

    Measurements(Plan plan, Progress progress) {
        this.plan = plan;
        this.progress = progress;
        this.site = progress.step("start PostgreSQL", Site::start);
        this.jvm = new ProbeJvm(site.directory(), plan.heapMib());
    }

    Samples run() {
        Layout layout = plan.layout();
        Settings shelfmark = shelfmark("bring " + layout.liveSegments() + " segments in", () -> site.shelfmark(layout));
        samples.add(Comparison.SHELFMARK + ".disk.per-segment", site.bytesPerSegment());
        alone(shelfmark);
        try (Site.Brokers brokers =
                progress.step("start a broker, write the same history into its topic", () -> site.kafka(layout))) {
            samples.add(Comparison.KAFKA + ".disk.per-segment", (double) brokers.topicBytes() / layout.liveSegments());
            reading(kafka(brokers), shelfmark);
            imported(brokers);
            writing(kafka(brokers), shelfmark);
        }
        history();
        return samples;
    }

    private Settings shelfmark(String title, Supplier<Settings> filled) {
        Settings settings = progress.step(title, filled);
        progress.step("vacuum and analyse", () -> {
            site.settle();
            return settings;
        });
        // What is measured in memory must be able to be there.
        return settings.with(plan.series()).with(CACHE, plan.segments() + plan.segments() / 10 + 1_000);
    }

    private Settings kafka(Site.Brokers brokers) {
        return brokers.settings().with(plan.series());
    }

    /** What Kafka's default has no counterpart for. */
    private void alone(Settings shelfmark) {
        Settings tenth = shelfmark("bring a tenth as many in", () -> site.shelfmark(plan.tenth()));
        Settings large = shelfmark(
                "bring " + plan.large().live() + " segments of one partition in", () -> site.shelfmark(plan.large()));
        for (int round = 0; round < plan.rounds(); round++) {
            measure(Measurement.STARTING, "tenth", tenth);
            measure(Measurement.UNCACHED, Comparison.SHELFMARK, large);
        }
        measure(Measurement.BOUNDED, "bounded", shelfmark.with(CACHE, plan.boundedSegments()));
        measure(Measurement.RECOVERING, Comparison.SHELFMARK, tenth);
    }

    private void reading(Settings kafka, Settings shelfmark) {
        measure(Measurement.EMPTY, Comparison.KAFKA + ".empty", kafka);
        measure(Measurement.EMPTY, Comparison.SHELFMARK + ".empty", shelfmark);
        for (int round = 0; round < plan.rounds(); round++) {
            measure(Measurement.READING, Comparison.KAFKA, kafka);
            measure(Measurement.READING, Comparison.SHELFMARK, shelfmark);
        }
        for (String side : new String[] {Comparison.KAFKA, Comparison.SHELFMARK}) {
            perSegment(side, side, plan.layout().liveSegments());
        }
        perSegment("bounded", Comparison.SHELFMARK, plan.boundedSegments());
    }

    private void perSegment(String name, String side, long segments) {
        double empty = samples.median(side + ".empty.heap.bytes");
        samples.derive(name + ".heap.mib", name + ".heap.bytes", bytes -> bytes / 1024 / 1024);
        samples.derive(name + ".heap.per-segment", name + ".heap.bytes", bytes -> (bytes - empty) / segments);
    }

    private void writing(Settings kafka, Settings shelfmark) {
        Map<String, String> bare = site.bareCommits();
        for (int round = 0; round < Math.min(plan.rounds(), WRITE_ROUNDS); round++) {
            String topic = UUID.randomUUID().toString();
            for (Measurement measurement : new Measurement[] {Measurement.WRITING, Measurement.DELETING}) {
                measure(measurement, Comparison.KAFKA, kafka.with("layout.topic", topic));
                measure(
                        measurement,
                        Comparison.SHELFMARK,
                        shelfmark.with("layout.topic", topic).with(bare));
            }
        }
    }

    private void imported(Site.Brokers brokers) {
        Map<String, String> owner = site.emptyCatalogue("imported");
        samples.add(
                Comparison.SHELFMARK,
                progress.step("shelfmark import", () -> Import.run(site.directory(), owner, brokers, plan.heapMib())));
        samples.add(Comparison.SHELFMARK + ".import.events", (double) brokers.events());
    }

    private void history() {
        Layout layout = plan.history();
        Settings shelfmark = shelfmark(
                "bring " + layout.liveSegments() + " segments after nine times as many deleted ones in",
                () -> site.shelfmarkWithHistory(layout));
        try (Site.Brokers brokers =
                progress.step("start a broker, write the same history into its topic", () -> site.kafka(layout))) {
            for (int round = 0; round < plan.rounds(); round++) {
                measure(Measurement.STARTING, Comparison.KAFKA + ".history", kafka(brokers));
                measure(Measurement.STARTING, Comparison.SHELFMARK + ".history", shelfmark);
            }
        }
    }

    private void measure(Measurement measurement, String name, Settings settings) {
        samples.add(name, progress.step(measurement + " " + name, () -> jvm.run(measurement, settings)));
    }

    @Override
    public void close() {
        site.close();
    }
}
