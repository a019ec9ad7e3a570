package dev.shelfmark.tool.setup.plan;

import java.util.ArrayList;
import java.util.List;

/**
 * A line of the result.
 *
 * @param scope the part that needs it: the cluster, a broker, PostgreSQL or DynamoDB
 * @param what what is needed
 * @param value how much
 * @param unit of what
 */
record Estimate(String scope, String what, double value, String unit) {

    private static final String CLUSTER = "cluster";
    private static final String BROKER = "broker";
    private static final String POSTGRESQL = "PostgreSQL";
    private static final String DYNAMODB = "DynamoDB";
    private static final double GB = 1e9;
    private static final double MB = 1e6;
    private static final double MILLION = 1e6;

    /** Everything about a cluster, in the order in which one reads it. */
    static List<Estimate> of(Workload load) {
        List<Estimate> all = new ArrayList<>();
        double second = load.segmentsPerSecond();
        all.add(new Estimate(
                CLUSTER,
                "data in the remote storage",
                load.bytesPerSecond() * load.retention().toSeconds() / GB,
                "GB"));
        all.add(new Estimate(CLUSTER, "live segments", load.liveSegments(), "segments"));
        all.add(new Estimate(CLUSTER, "segments of a partition", load.liveSegments() / load.partitions(), "segments"));
        all.add(new Estimate(CLUSTER, "new segments", second * 86_400, "a day"));
        all.add(new Estimate(
                BROKER,
                "heap, if all that it leads is in memory",
                load.liveSegments() / load.brokers() * Figures.HEAP_OF_A_SEGMENT / MB,
                "MB"));
        all.addAll(postgresql(load));
        all.addAll(dynamoDb(load));
        return all;
    }

    private static List<Estimate> postgresql(Workload load) {
        double live = load.liveSegments();
        double deleted = load.deletedSegments();
        double bytes = (live + deleted) * Figures.BYTES_OF_A_ROW + load.changes() * Figures.BYTES_OF_A_CHANGE;
        double polls = load.partitions() * load.replicas() / Figures.POLL_SECONDS;
        return List.of(
                new Estimate(POSTGRESQL, "rows of segments", live + deleted, "rows"),
                new Estimate(POSTGRESQL, "rows of the history", load.changes(), "rows"),
                new Estimate(POSTGRESQL, "disk, without WAL", bytes / GB, "GB"),
                new Estimate(POSTGRESQL, "commits", load.segmentsPerSecond() * Figures.CHANGES_OF_A_LIFE, "a second"),
                new Estimate(POSTGRESQL, "reads of one row, at most", polls, "a second"),
                new Estimate(
                        POSTGRESQL, "connections, at most", (double) load.brokers() * load.poolSize(), "connections"));
    }

    private static List<Estimate> dynamoDb(Workload load) {
        boolean history = !load.historyKept().isZero();
        double segments = load.segmentsPerSecond() * Figures.SECONDS_OF_A_MONTH;
        double writes = segments * (history ? Figures.WRITE_UNITS : Figures.WRITE_UNITS_WITHOUT_HISTORY);
        double polls = load.partitions() * load.replicas() * Figures.SECONDS_OF_A_MONTH / Figures.POLL_SECONDS;
        double bytes = (load.liveSegments() + load.deletedSegments()) * Figures.ITEM_BYTES
                + load.changes() / Figures.CHANGES_OF_A_LIFE * Figures.HISTORY_ITEM_BYTES;
        double dollars = writes / MILLION * Figures.DOLLARS_OF_WRITES
                + polls / MILLION * Figures.DOLLARS_OF_READS
                + bytes / GB * Figures.DOLLARS_OF_STORAGE;
        return List.of(
                new Estimate(DYNAMODB, "write units", writes / MILLION, "million a month"),
                new Estimate(DYNAMODB, "read units of polls", polls / MILLION, "million a month"),
                new Estimate(DYNAMODB, "storage", bytes / GB, "GB"),
                new Estimate(DYNAMODB, "cost at list prices, on demand", dollars, "USD a month"));
    }
}
