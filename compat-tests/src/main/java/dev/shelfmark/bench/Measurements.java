package dev.shelfmark.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

/** Runs everything that a plan asks for, each side in turn. */
final class Measurements implements AutoCloseable {

    private static final String CACHE = Backend.MANAGER + "cache.max.segments";
    private static final String STALENESS = Backend.MANAGER + "cache.leader.max.staleness.ms";
    private static final int WRITE_ROUNDS = 2;

    private final Plan plan;
    private final Progress progress;
    private final Samples samples;
    private final TestBed site;
    private final ProbeJvm jvm;
    private final StartingBroker starting;

    /** Adds to samples. */
    Measurements(Plan plan, Progress progress, Samples samples) {
        this.plan = plan;
        this.progress = progress;
        this.samples = samples;
        this.site = progress.step("start PostgreSQL", () -> TestBed.start(plan.thorough()));
        this.jvm = new ProbeJvm(site.directory(), plan.heapMib());
        this.starting = new StartingBroker(site.directory(), plan.heapMib());
    }

    void run() {
        Layout layout = plan.layout();
        Settings shelfmark = shelfmark("bring " + layout.liveSegments() + " segments in", () -> site.shelfmark(layout));
        samples.add(Comparison.SHELFMARK + ".disk.per-segment", site.bytesPerSegment());
        Settings tenth = shelfmark("bring a tenth as many in", () -> site.shelfmark(plan.tenth()));
        sizes(shelfmark, tenth);
        alone();
        try (TestBed.Brokers brokers = progress.step(
                "start a broker, write the same history into its topic", () -> site.kafka(layout, plan.thorough()))) {
            samples.add(Comparison.KAFKA + ".disk.per-segment", (double) brokers.topicBytes() / layout.liveSegments());
            reading(kafka(brokers), shelfmark);
            // What was brought in before is not theirs to write down: a checkpoint of it has every commit wait.
            settle(shelfmark);
            imported(brokers);
            settle(shelfmark);
            writing(kafka(brokers), shelfmark);
            measure(Measurement.COSTS, Comparison.ALL, shelfmark);
        }
        history(tenth);
    }

    private Settings shelfmark(String title, Supplier<Settings> filled) {
        Settings settings = progress.step(title, filled);
        settle(settings);
        // What is measured in memory must be able to be there.
        Settings told = settings.with(plan.series());
        return told.with(STALENESS, told.text(Reading.STALENESS))
                .with(CACHE, plan.segments() + plan.segments() / 10 + 1_000);
    }

    private void settle(Settings shelfmark) {
        progress.step("vacuum and analyse", () -> {
            site.settle(shelfmark);
            return shelfmark;
        });
    }

    private Settings kafka(TestBed.Brokers brokers) {
        return brokers.settings().with(plan.series());
    }

    /** The same questions to catalogues of several sizes, in turn. */
    private void sizes(Settings all, Settings tenth) {
        Map<String, Settings> sizes = new LinkedHashMap<>();
        sizes.put(Comparison.TENTH, tenth);
        sizes.put(
                Comparison.SCATTERED,
                shelfmark("the same of ten times the partitions", () -> site.shelfmark(plan.scattered()))
                        .with(Costs.LED, 10 * plan.countedPartitions()));
        sizes.put(Comparison.ALL, all);
        if (plan.tenfold()) {
            Layout layout = plan.tenfoldLayout();
            sizes.put(
                    Comparison.TENFOLD,
                    shelfmark("bring " + layout.liveSegments() + " segments in", () -> site.shelfmarkAlone(layout)));
        }
        for (int round = 0; round < plan.rounds(); round++) {
            sizes.forEach((name, settings) -> measure(Measurement.UNCACHED, name, settings));
        }
        starts(sizes);
        sizes.forEach((name, settings) -> {
            if (!name.equals(Comparison.SCATTERED)) {
                measure(Measurement.BOUNDED, name + ".bounded", settings.with(CACHE, plan.boundedSegments()));
            }
            // It changes a partition, which others still ask for when it is one of all.
            if (!name.equals(Comparison.ALL)) {
                measure(Measurement.COSTS, name, settings);
            }
        });
        measure(Measurement.RECOVERING, Comparison.SHELFMARK, tenth);
        if (plan.tenfold()) {
            site.drop(plan.tenfoldLayout());
        }
    }

    /** What Kafka's default has no counterpart for. */
    private void alone() {
        Settings large = shelfmark(
                "bring " + plan.large().live() + " segments of one partition in", () -> site.shelfmark(plan.large()));
        for (int round = 0; round < plan.rounds(); round++) {
            measure(Measurement.UNCACHED, Comparison.SHELFMARK, large);
        }
    }

    private void reading(Settings kafka, Settings shelfmark) {
        measure(Measurement.EMPTY, Comparison.KAFKA + ".empty", kafka);
        measure(Measurement.EMPTY, Comparison.SHELFMARK + ".empty", shelfmark);
        for (int round = 0; round < plan.rounds(); round++) {
            measure(Measurement.READING, Comparison.KAFKA, kafka);
            measure(Measurement.READING, Comparison.SHELFMARK, shelfmark);
            startBroker(Comparison.KAFKA, kafka);
            startBroker(Comparison.SHELFMARK, shelfmark);
        }
        for (int i = plan.rounds(); i < plan.starts(); i++) {
            startBroker(Comparison.SHELFMARK, shelfmark);
        }
        for (int i = 0; i < plan.starts(); i++) {
            measure(Measurement.FIRST, Comparison.SHELFMARK, shelfmark);
            measure(Measurement.CONNECTING, Comparison.SHELFMARK, shelfmark);
        }
        for (String side : new String[] {Comparison.KAFKA, Comparison.SHELFMARK}) {
            perSegment(side, side, plan.layout().liveSegments());
        }
        for (String size : new String[] {Comparison.TENTH, Comparison.ALL, Comparison.TENFOLD}) {
            perSegment(size + ".bounded", Comparison.SHELFMARK, plan.boundedSegments());
        }
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

    private void imported(TestBed.Brokers brokers) {
        Map<String, String> owner = site.emptyCatalogue("imported");
        samples.add(
                Comparison.SHELFMARK,
                progress.step("shelfmark import", () -> Import.run(site.directory(), owner, brokers, plan.heapMib())));
        samples.add(Comparison.SHELFMARK + ".import.events", (double) brokers.events());
    }

    private void history(Settings tenth) {
        Layout layout = plan.history();
        Settings shelfmark = shelfmark(
                "bring " + layout.liveSegments() + " segments after nine times as many deleted ones in",
                () -> site.shelfmarkWithHistory(layout));
        try (TestBed.Brokers brokers = progress.step(
                "start a broker, write the same history into its topic", () -> site.kafka(layout, plan.thorough()))) {
            for (int round = 0; round < plan.rounds(); round++) {
                measure(Measurement.STARTING, Comparison.KAFKA + ".history", kafka(brokers));
                measure(Measurement.STARTING, Comparison.SHELFMARK + ".history", shelfmark);
            }
        }
        starts(Map.of(Comparison.SHELFMARK + ".history", shelfmark, Comparison.WITHOUT_HISTORY, tenth));
    }

    /** Starts of Shelfmark, in turn; one alone says little, as what else the machine does in half a second varies. */
    private void starts(Map<String, Settings> catalogues) {
        for (int i = 0; i < plan.starts(); i++) {
            catalogues.forEach((name, settings) -> measure(Measurement.FIRST, name, settings));
        }
    }

    private void startBroker(String side, Settings settings) {
        samples.add(
                side + "." + Comparison.IN_BROKER,
                progress.step("start a broker, " + side, () -> starting.measure(settings)));
    }

    private void measure(Measurement measurement, String name, Settings settings) {
        samples.add(name, progress.step(measurement + " " + name, () -> jvm.run(measurement, settings)));
    }

    @Override
    public void close() {
        site.close();
    }
}
