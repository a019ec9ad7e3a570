package dev.shelfmark.bench;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** From samples to rows: which of them are held against which, and within which bounds. A row whose samples are missing is left out. */
final class Comparison {

    static final String KAFKA = "kafka";
    static final String SHELFMARK = "shelfmark";

    private final Samples samples;
    private final List<Row> rows = new ArrayList<>();

    private Comparison(Samples samples) {
        this.samples = samples;
    }

    static List<Row> of(Samples samples) {
        Comparison comparison = new Comparison(samples);
        comparison.starting();
        comparison.memory();
        comparison.reading();
        return comparison.rows;
    }

    private void starting() {
        sides("start to the first right lookup", "ms", "start.first", Bound.ratioAtMost(1.0 / 30), "");
        sides("start until every partition answers", "ms", "start.all", null, "one lookup each");
        sides("start until every segment was listed", "ms", "start.listed", null, "Shelfmark then holds all in memory");
    }

    private void memory() {
        sides("heap, everything in memory", "MiB", "heap.mib", null, "Shelfmark: only where it was asked for");
        sides("heap per segment", "bytes", "heap.per-segment", Bound.valueAtMost(120), "one epoch, no custom metadata");
    }

    private void reading() {
        lookups("random lookup", "lookup.random");
        lookups("lookup of a sequential consumer", "lookup.sequential");
        lookups("random lookup, " + Reading.THREADS + " threads", "lookup.threads");
        against(
                "allocated by a lookup",
                "bytes",
                "the answer itself",
                SHELFMARK + ".lookup.answer.bytes",
                SHELFMARK + ".lookup.bytes",
                Bound.ratioAtMost(1.02),
                "in memory");
        sides("list of a partition, p50", "us", "list.p50", null, "in memory");
        sides("highest offset, p50", "us", "highest.p50", null, "in memory");
        sides(
                "retention pass over all partitions",
                "ms",
                "pass.ms",
                Bound.ratioAtMost(1),
                "in memory, older than allowed");
        alone("statements in a retention pass", "count", "pass.statements", null);
        alone("segments read in a retention pass", "count", "pass.loaded", Bound.valueAtMost(0));
    }

    private void lookups(String name, String key) {
        sides(name + ", p50", "us", key + ".p50", Bound.ratioAtMost(1), "in memory");
        sides(name + ", p99", "us", key + ".p99", Bound.ratioAtMost(1), "in memory");
    }

    private void sides(String name, String unit, String key, @Nullable Bound bound, String note) {
        against(name, unit, "Kafka's default", KAFKA + "." + key, SHELFMARK + "." + key, bound, note);
    }

    private void alone(String name, String unit, String key, @Nullable Bound bound) {
        against(name, unit, "", "", SHELFMARK + "." + key, bound, "");
    }

    private void against(
            String name,
            String unit,
            String against,
            String reference,
            String key,
            @Nullable Bound bound,
            String note) {
        boolean comparable = bound == null || bound.subject() == Bound.Subject.VALUE || samples.has(reference);
        if (samples.has(key)) {
            rows.add(new Row(
                    name, unit, against, samples.of(reference), samples.of(key), comparable ? bound : null, note));
        }
    }
}
