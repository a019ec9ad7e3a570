package dev.shelfmark.tool.mend.rebuild;

/** Is told how a rebuild goes on. Called by the thread that runs it. */
interface RebuildListener {

    /** So many objects were listed so far. */
    void listed(long objects);

    /** So many segments were read so far. */
    void read(long segments);

    /**
     * What was decided, and done unless it is a dry run, of a segment.
     *
     * @param topic the topic's name, or its id in Kafka's textual form where the name is not known
     */
    void planned(String topic, PlannedSegment segment);

    /** A line for people. */
    void notice(String line);
}
