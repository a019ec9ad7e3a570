package dev.shelfmark.tool.mend.rebuild;

/** What a rebuild does with a segment that it finds in the remote storage. */
enum SegmentAction {
    ADD("add", false, "the catalogue has no row of it"),
    FINISH(
            "finish",
            false,
            "the catalogue has its upload as begun, all its objects are there, and no other segment has or had its offsets"),
    KEEP("keep", false, "the catalogue has a row of it, which stays as it is"),
    CONTRADICTS(
            "contradicts", true, "the catalogue's row says something else than the objects; the row stays as it is"),
    UNREADABLE("unreadable", true, "its objects do not say what it is; left out"),
    CLOCK_SKEW("clockSkew", true, "an object was written in the future by this machine's clock; left out"),
    INCOMPLETE("incomplete", false, "objects are missing, as of an upload or a deletion that did not end; left out"),
    BELOW_LOG_START("belowLogStart", false, "it ends below the log start offset; left out"),
    UNKNOWN_TOPIC("unknownTopic", false, "its topic is not known to be this cluster's; left out"),
    OTHER_CLUSTER("otherCluster", false, "the catalogue has its topic under another cluster; left out"),
    CHANGED("changed", true, "somebody else changed the catalogue meanwhile, so that it was not brought in");

    private final String column;
    private final boolean trouble;
    private final String meaning;

    SegmentAction(String column, boolean trouble, String meaning) {
        this.column = column;
        this.trouble = trouble;
        this.meaning = meaning;
    }

    /** Its name in reports. */
    String column() {
        return column;
    }

    /** Whether a person must look. */
    boolean trouble() {
        return trouble;
    }

    /** Why it is done, for people. */
    String meaning() {
        return meaning;
    }

    /** Whether it changes the catalogue. */
    boolean changes() {
        return this == ADD || this == FINISH;
    }
}
