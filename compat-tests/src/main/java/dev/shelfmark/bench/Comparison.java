package dev.shelfmark.bench;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** From samples to rows: which of them are held against which, and within which bounds. A row whose samples are missing is left out. */
final class Comparison {

    static final String KAFKA = "kafka";
    static final String SHELFMARK = "shelfmark";
    static final String DYNAMODB = "dynamodb";

    /** Catalogues of other sizes than the one asked for, and that one itself. */
    static final String ALL = "all";

    static final String TENTH = "tenth";
    static final String TENFOLD = "tenfold";
    static final String SCATTERED = "scattered";

    /** The catalogue of a tenth of the segments again, in turn with the one that has a history. */
    static final String WITHOUT_HISTORY = "without-history";

    /** Measured in a broker that starts, rather than in a JVM that runs nothing else. */
    static final String IN_BROKER = "in-broker";

    private static final Bound FLAT = Bound.ratioWithin(0.8, 1.25);

    private static final String WARM = "after " + Writing.WARM_SERIES + " times as long of the same";
    private static final String CACHE_FLAG = "cache.max.segments raised to hold all";

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
        comparison.writing();
        comparison.administration();
        comparison.costs();
        return comparison.rows;
    }

    private void starting() {
        String first = "start to the first right lookup";
        Bound thirtieth = Bound.ratioAtMost(1.0 / 30);
        sides(
                first + ", in a broker",
                "ms",
                IN_BROKER + ".start.first",
                thirtieth,
                "both while a broker starts, at the moment at which it opens its catalogue");
        sides(
                first,
                "ms",
                "start.first",
                thirtieth,
                "both in a JVM that has, as a broker, loaded Kafka's settings, metrics and JMX, and runs nothing else");
        against(
                first,
                "ms",
                "a connection of the driver alone and one question",
                SHELFMARK + ".start.bare",
                SHELFMARK + ".start.first",
                null,
                "out of the same plugin directory");
        sides("start until every partition answers", "ms", "start.all", null, "one lookup each");
        sides("start until every segment was listed", "ms", "start.listed", null, "Shelfmark then holds all in memory");
        sides(first + ", long deleted history", "ms", "history.start.first", null, "a tenth is live, the rest deleted");
        sizes(first, "ms", "start.first", FLAT);
        against(
                first + ", long deleted history",
                "ms",
                "none deleted",
                WITHOUT_HISTORY + ".start.first",
                SHELFMARK + ".history.start.first",
                FLAT,
                "");
    }

    private void memory() {
        sides("heap, everything in memory", "MiB", "heap.mib", null, CACHE_FLAG);
        sides("heap per segment", "bytes", "heap.per-segment", Bound.valueAtMost(120), CACHE_FLAG);
        Bound most = Bound.valueAtMost(120);
        held("", ALL, most, "cache.max.segments is a tenth of what there is");
        held(", ten times the segments", TENFOLD, most, "the same cache.max.segments, a hundredth of what there is");
        // Smaller partitions: what each needs for itself is a larger part.
        held(", a tenth of the segments", TENTH, null, "the same cache.max.segments, which is all there is");
    }

    private void held(String size, String prefix, @Nullable Bound bound, String note) {
        String key = prefix + ".bounded.heap.per-segment";
        against("heap per segment that may be held" + size, "bytes", "", "", key, bound, note);
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
        String uncached = "lookup outside the cache, one large partition";
        alone(uncached + ", p50", "us", "uncached.p50", null);
        alone(uncached + ", p99", "us", "uncached.p99", Bound.valueAtMost(2_000));
        alone("statements of such a lookup", "count", "uncached.statements", Bound.valueAtMost(1));
        alone("rows read by it, the partition's own included", "count", "uncached.rows", Bound.valueAtMost(2));
        sizes("lookup outside the cache, any partition, p50", "us", "uncached.p50", null);
        sizes("lookup outside the cache, any partition, p99", "us", "uncached.p99", Bound.valueAtMost(2_000));
        sizes("highest offset outside the cache, p50", "us", "uncached.highest.p50", null);
        sizes("list outside the cache, for each segment", "us", "uncached.list.per-segment", null);
        sides("list of a partition, p50", "us", "list.p50", null, "in memory");
        sides("highest offset, p50", "us", "highest.p50", null, "in memory");
        sides(
                "retention pass over all partitions",
                "ms",
                "pass.ms",
                Bound.ratioAtMost(1),
                "in memory, looked at longer ago than allowed");
        alone("statements in a retention pass", "count", "pass.statements", null);
        alone("segments read in a retention pass", "count", "pass.loaded", Bound.valueAtMost(0));
        alone("lookups right again after the database's return", "ms", "recovery.read", null);
        alone("waiting report done after the database's return", "ms", "recovery.write", null);
    }

    private void writing() {
        for (int threads : Writing.THREADS) {
            String series = "write." + threads;
            String by = ", " + threads + (threads == 1 ? " thread" : " threads");
            sides("reports" + by, "1/s", series + ".rate", null, "waiting for each, " + WARM);
            sides("add" + by + ", p50", "us", series + ".copy_segment_started.p50", null, "");
            sides("add" + by + ", p99", "us", series + ".copy_segment_started.p99", null, "");
            sides("finish" + by + ", p50", "us", series + ".copy_segment_finished.p50", null, "");
            sides("finish" + by + ", p99", "us", series + ".copy_segment_finished.p99", null, "");
            sides("delete" + by + ", p50", "us", series + ".delete_segment_finished.p50", null, "");
            sides("delete" + by + ", p99", "us", series + ".delete_segment_finished.p99", null, "");
        }
        alone("statements for a report", "count", "write.4.statements", null);
        alone("rows for a report", "count", "write.4.rows", null);
        for (int connections : BareCommits.CONNECTIONS) {
            against(
                    "reports, " + connections + (connections == 1 ? " thread" : " threads"),
                    "1/s",
                    "bare commits on as many connections",
                    SHELFMARK + ".bare." + connections + ".rate",
                    SHELFMARK + ".write." + connections + ".rate",
                    Bound.ratioAtLeast(0.5),
                    WARM);
        }
        String grouped = "reports, many waiting for " + Writing.GROUPED_PARTITIONS + " partitions";
        sides(grouped, "1/s", "write.grouped.rate", null, "");
        against(
                grouped,
                "1/s",
                "bare commits on as many connections",
                SHELFMARK + ".bare." + Writing.GROUPED_PARTITIONS + ".rate",
                SHELFMARK + ".write.grouped.rate",
                Bound.ratioAtLeast(1),
                "");
        sides("deleting a topic", "ms", "delete.ms", null, "10 000 segments in 10 partitions");
        against(
                "deleting a topic",
                "ms",
                "a commit for each change",
                SHELFMARK + ".delete.one-by-one.ms",
                SHELFMARK + ".delete.ms",
                Bound.ratioAtMost(1.0 / 20),
                "");
    }

    private void administration() {
        sides(
                "disk for each segment",
                "bytes",
                "disk.per-segment",
                null,
                "Kafka: for one broker's replica; grows for ever");
        against(
                "import of the whole history",
                "ms",
                "replay by Kafka's default",
                KAFKA + ".start.all",
                SHELFMARK + ".import.ms",
                Bound.ratioAtMost(3),
                "the command's own start included");
        against(
                "heap that the import needs",
                "MiB",
                "replay by Kafka's default",
                KAFKA + ".reading.peak-mib",
                SHELFMARK + ".import.peak-mib",
                Bound.ratioAtMost(3),
                "most alive after a collection");
    }

    private void costs() {
        for (Costs.Operation operation : Costs.Operation.values()) {
            cost(operation, "statements", "count", "requests");
            cost(operation, "rows", "count", "rows");
            cost(operation, "bytes on the wire", "bytes", "bytes");
        }
        for (Costs.Operation operation : Costs.Operation.values()) {
            onDynamoDb(operation, "requests", "count", "requests");
            onDynamoDb(operation, "items", "count", "rows");
            onDynamoDb(operation, "read units", "count", "read-units");
            onDynamoDb(operation, "write units", "count", "write-units");
        }
    }

    private void cost(Costs.Operation operation, String what, String unit, String key) {
        String name = operation.title() + ": " + what;
        String of = "." + operation.key() + "." + key;
        Bound bound = flat(operation);
        against(name, unit, "a tenth of the segments", TENTH + of, ALL + of, bound, "");
        against(name + ", ten times the segments", unit, "all of them", ALL + of, TENFOLD + of, bound, "");
        if (operation == Costs.Operation.START || operation == Costs.Operation.PASS) {
            against(
                    name + ", ten times the partitions",
                    unit,
                    "as many segments in a tenth of them",
                    TENTH + of,
                    SCATTERED + of,
                    bound,
                    "a tenth of the segments");
        }
    }

    private void onDynamoDb(Costs.Operation operation, String what, String unit, String key) {
        String of = "." + operation.key() + "." + key;
        against(
                "DynamoDB, " + operation.title() + ": " + what,
                unit,
                "a tenth of the segments",
                DYNAMODB + "." + TENTH + of,
                DYNAMODB + "." + ALL + of,
                flat(operation),
                "counted by an emulator");
    }

    /** What is divided by a number of segments or partitions has a part that is not. */
    private static @Nullable Bound flat(Costs.Operation operation) {
        return operation == Costs.Operation.LIST || operation == Costs.Operation.PASS ? null : FLAT;
    }

    private void lookups(String name, String key) {
        sides(name + ", p50", "us", key + ".p50", Bound.ratioAtMost(1), "in memory");
        sides(name + ", p99", "us", key + ".p99", Bound.ratioAtMost(1), "in memory");
    }

    private void sides(String name, String unit, String key, @Nullable Bound bound, String note) {
        against(name, unit, "Kafka's default", KAFKA + "." + key, SHELFMARK + "." + key, bound, note);
    }

    /** The same of catalogues of other sizes, against all that was asked for. */
    private void sizes(String name, String unit, String key, @Nullable Bound bound) {
        String all = ALL + "." + key;
        against(name + ", a tenth of the segments", unit, "all of them", all, TENTH + "." + key, bound, "");
        against(name + ", ten times the segments", unit, "all of them", all, TENFOLD + "." + key, bound, "");
        against(
                name + ", ten times the partitions",
                unit,
                "as many segments in a tenth of them",
                TENTH + "." + key,
                SCATTERED + "." + key,
                bound,
                "a tenth of the segments");
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
