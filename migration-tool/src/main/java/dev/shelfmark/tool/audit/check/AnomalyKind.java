package dev.shelfmark.tool.audit.check;

/**
 * What can be wrong in a catalogue: the one list behind {@code check}, the report and docs/audit.md. Each kind has a {@link Rule} that
 * finds it.
 */
public enum AnomalyKind {
    GAP(
            "Offsets of a leader-epoch chain that no readable segment holds, although readable ones lie before and behind them.",
            "Consumers that reach the gap are reset. 'shelfmark segments --state DELETE_SEGMENT_FINISHED' tells which broker"
                    + " deleted what was there, 'shelfmark orphans' whether its objects still are."),
    OVERLAP(
            "Two readable segments hold the same offsets of one leader epoch, and each holds offsets that the other does not.",
            "Nothing is read wrong: the one finished last answers. It is paid for twice until retention removes both. It comes from a"
                    + " leader that finished an upload after it had lost the partition; often: look for brokers that lose their"
                    + " leadership without noticing."),
    SUPERSEDED(
            "A readable segment whose offsets are all held by one that was finished later, although its retention is over.",
            "It answers no lookup, and Kafka should have deleted it: does the"
                    + " partition have a leader, and what does its log say of deletions?"),
    DANGLING_COPY(
            "An upload that began long ago and never ended.",
            "Its broker died or lost the partition. Its objects may be there in part. Kafka deletes the segment with its retention;"
                    + " until then it is paid for."),
    DANGLING_DELETE(
            "A deletion that began long ago and never ended.",
            "The remote storage refuses, or nobody leads the partition. Look for failures of deletions in the brokers' logs; Kafka"
                    + " tries again while the partition has a leader."),
    LOG_START_NOT_READABLE(
            "The lowest segment of a partition, from which Kafka takes the log start offset, is not readable.",
            "Consumers that begin at the start fail, or wait, until the segment is deleted: see DANGLING_COPY and DANGLING_DELETE."),
    EPOCHS_OUTSIDE_SEGMENT(
            "The leader epochs of a segment do not cover its offsets: the first does not begin where the segment begins, one begins"
                    + " before the one below it, or behind the segment's end.",
            "Lookups of some of its offsets fail. No broker writes this: the row was damaged or changed by hand."),
    HIGHEST_OFFSET_TOO_LOW(
            "A readable segment holds offsets of a leader epoch above the highest offset that is kept for the epoch.",
            "Brokers upload those offsets again. No broker writes this: rows were changed by hand, or restored in part."),
    HEAD_MISMATCH(
            "A partition's head does not fit its segments: it counts others, knows a narrower span than one has, or an older version.",
            "Brokers refuse to answer from such a partition, or miss a segment. Rows were changed by hand, or restored in part: restore"
                    + " the missing rows."),
    UNREADABLE_ROW(
            "A row that can't be understood.",
            "It is damaged, or a newer build has written it. Use the newer build, or look at the row; brokers answer nothing from a"
                    + " partition that has one."),
    UNKNOWN_TOPIC(
            "Segments of a topic that the cluster no longer has. Looked for only with --bootstrap-server.",
            "The topic was deleted while brokers or the database were away, and Kafka does not try again: nobody will delete the objects."
                    + " 'shelfmark segments --topic ID' names them."),
    PURGE_BACKLOG(
            "Records of deleted segments that should have been purged long ago.",
            "On PostgreSQL brokers purge (deleted.segments.retention.ms): does one run, and does its log tell of failures? On DynamoDB"
                    + " the table's time to live must be switched on: run 'shelfmark upgrade-schema'."),
    SMALL_SEGMENTS(
            "A partition with very many, very small segments.",
            "Each costs several objects and requests, whatever its size. Raise the topic's segment.bytes and segment.ms.");

    private final String meaning;
    private final String advice;

    AnomalyKind(String meaning, String advice) {
        this.meaning = meaning;
        this.advice = advice;
    }

    /** What it is, for people. */
    public String meaning() {
        return meaning;
    }

    /** What follows from it, and what to do. */
    public String advice() {
        return advice;
    }
}
