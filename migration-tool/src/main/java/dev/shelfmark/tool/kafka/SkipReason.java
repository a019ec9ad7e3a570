package dev.shelfmark.tool.kafka;

/** Why an event of the topic changed nothing. */
public enum SkipReason {
    /** Exactly what was there already. */
    REPEATED("says what the segment's last event said", true),
    /** A deletion of a segment that the topic never added, or that is deleted already. */
    DELETION_OF_UNKNOWN("deletes a segment that is deleted already, or whose beginning is lost", true),
    /** A segment was uploaded, but the record that described it is gone: its object can't be found from the topic. */
    FINISHED_WITHOUT_START(
            "finishes a segment whose beginning is lost: the remote object is no longer reachable", false),
    /** What Kafka's own table of transitions forbids; Kafka drops it too. */
    ILLEGAL_TRANSITION("is a transition that Kafka drops too", true),
    /** A record without a value. */
    TOMBSTONE("has no value", true),
    /** Kafka's snapshot record names no partition, and nothing writes it. */
    SNAPSHOT("is a snapshot record, which names no partition", false);

    private final String meaning;
    private final boolean harmless;

    SkipReason(String meaning, boolean harmless) {
        this.meaning = meaning;
        this.harmless = harmless;
    }

    /** For people: the event ... */
    public String meaning() {
        return meaning;
    }

    /** Whether nothing is lost by it; exact repeats are so common that they are not kept for review. */
    public boolean harmless() {
        return harmless;
    }
}
