package dev.shelfmark.matrix;

/** What is done in one cluster, in order. */
enum Step {
    CUT_OVER("cut over"),
    TIER("tier, read from leader"),
    FOLLOWER("read from follower"),
    UPGRADE("upgrade node by node"),
    RESTART("restart"),
    LEADER("leader change"),
    KILL("kill"),
    RETENTION("retention"),
    DELETION("topic deletion"),
    ROLL_BACK("roll back");

    private final String title;

    Step(String title) {
        this.title = title;
    }

    /** For people. */
    String title() {
        return title;
    }
}
