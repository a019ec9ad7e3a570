package dev.shelfmark.bench;

import java.util.Map;

/** Runs everything that a plan asks for. */
final class Measurements {

    private final Plan plan;
    private final Progress progress;
    private final Samples samples = new Samples();

    Measurements(Plan plan, Progress progress) {
        this.plan = plan;
        this.progress = progress;
    }

    Samples run() {
        try (Site site = progress.step("start PostgreSQL", Site::start)) {
            ProbeJvm jvm = new ProbeJvm(site.directory(), plan.heapMib());
            Layout layout = plan.layout();
            Settings shelfmark = progress.step(
                            "bring " + layout.liveSegments() + " segments into PostgreSQL",
                            () -> site.shelfmark(layout))
                    .with(series());
            try (Site.Brokers brokers =
                    progress.step("start a broker, write the same history into its topic", () -> site.kafka(layout))) {
                sideBySide(jvm, brokers.settings().with(series()), shelfmark);
            }
        }
        return samples;
    }

    private Map<String, String> series() {
        return Map.of(
                Reading.LOOKUPS, Integer.toString(plan.lookups()), Reading.PASSES, Integer.toString(plan.passes()));
    }

    private void sideBySide(ProbeJvm jvm, Settings kafka, Settings shelfmark) {
        measure(jvm, Measurement.EMPTY, Comparison.KAFKA + ".empty", kafka);
        measure(jvm, Measurement.EMPTY, Comparison.SHELFMARK + ".empty", shelfmark);
        for (int round = 0; round < plan.rounds(); round++) {
            measure(jvm, Measurement.READING, Comparison.KAFKA, kafka);
            measure(jvm, Measurement.READING, Comparison.SHELFMARK, shelfmark);
        }
        for (String side : new String[] {Comparison.KAFKA, Comparison.SHELFMARK}) {
            double empty = samples.median(side + ".empty.heap.bytes");
            samples.derive(side + ".heap.mib", side + ".heap.bytes", bytes -> bytes / 1024 / 1024);
            samples.derive(
                    side + ".heap.per-segment",
                    side + ".heap.bytes",
                    bytes -> (bytes - empty) / plan.layout().liveSegments());
        }
    }

    private void measure(ProbeJvm jvm, Measurement measurement, String name, Settings settings) {
        samples.add(name, progress.step(measurement + " " + name, () -> jvm.run(measurement, settings)));
    }
}
