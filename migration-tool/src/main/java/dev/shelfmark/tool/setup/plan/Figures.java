package dev.shelfmark.tool.setup.plan;

/** What docs/performance.md and docs/dynamodb.md have measured; {@code FiguresTest} compares. */
final class Figures {

    /** A segment is added, finished, and its deletion begins and ends. */
    static final int CHANGES_OF_A_LIFE = 4;

    /** Disk of a segment's row with its indexes on PostgreSQL. */
    static final int BYTES_OF_A_ROW = 298;

    /** Disk of a change in the history. */
    static final int BYTES_OF_A_CHANGE = 157;

    /** A broker's heap for a segment in memory. */
    static final int HEAP_OF_A_SEGMENT = 101;

    /** DynamoDB's write units of a segment's life, with the history and without. */
    static final int WRITE_UNITS = 43;

    static final int WRITE_UNITS_WITHOUT_HISTORY = 35;

    /** Bytes of a segment's items in DynamoDB, and of its history. */
    static final int ITEM_BYTES = 2_400;

    static final int HISTORY_ITEM_BYTES = 1_400;

    /** List prices in US dollars, us-east-1, on demand: a million write units, a million read units, a GB a month with backups. */
    static final double DOLLARS_OF_WRITES = 0.625;

    static final double DOLLARS_OF_READS = 0.125;
    static final double DOLLARS_OF_STORAGE = 0.45;

    /** How often a replica polls: {@code remote.log.manager.task.interval.ms} by default. */
    static final double POLL_SECONDS = 30;

    static final double SECONDS_OF_A_MONTH = 2_592_000;

    private Figures() {}
}
