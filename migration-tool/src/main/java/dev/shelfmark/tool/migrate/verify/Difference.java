package dev.shelfmark.tool.migrate.verify;

/**
 * Where a catalogue and Kafka's cache do not say the same.
 *
 * @param kind what sort
 * @param topic the topic's name
 * @param topicId its id, in Kafka's textual form
 * @param partition the partition's number
 * @param question what was asked
 * @param kafka what Kafka's cache says
 * @param catalogue what the catalogue says
 */
public record Difference(
        Kind kind, String topic, String topicId, int partition, String question, String kafka, String catalogue) {

    /** Sorts of differences. */
    public enum Kind {
        /** Kafka's cache has a segment that the catalogue lacks, or the other way round. */
        SEGMENT(false),
        /** Both have the segment, but not with the same values. */
        FIELDS(false),
        /** A lookup that Kafka's cache answers, and the catalogue does not, or wrongly. */
        LOOKUP(false),
        /** An epoch's list lacks a segment, or is not in order. */
        LIST(false),
        /** The highest offset of an epoch. */
        HIGHEST_OFFSET(false),
        /** The whole partition is deleted for one and not for the other. */
        DELETION(false),
        /** The catalogue has a partition of which the topic knows nothing. */
        PARTITION(false),
        /** The catalogue has not taken in all events. */
        BEHIND(false),
        /** Expected: Kafka's cache finds nothing although a finished segment holds the offset; the catalogue finds it. */
        READ_HOLE_IN_KAFKA(true),
        /** Expected: several finished segments hold the offset; the catalogue answers with the one finished last. */
        NEWER_COPY(true),
        /** Expected: Kafka's cache has lost the segment from the epoch's list, though not from the partition's. */
        LEAKED_FROM_KAFKAS_LIST(true);

        private final boolean expected;

        Kind(boolean expected) {
            this.expected = expected;
        }

        /** Whether the catalogue is meant to differ from Kafka here. */
        public boolean expected() {
            return expected;
        }
    }
}
