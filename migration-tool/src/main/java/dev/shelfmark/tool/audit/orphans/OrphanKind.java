package dev.shelfmark.tool.audit.orphans;

/** What can be wrong between the catalogue and the remote storage: the one list behind {@code orphans} and docs/audit.md. */
public enum OrphanKind {
    OBJECT_WITHOUT_ROW(
            "An object of a segment that the catalogue does not know, or no more.",
            "It is paid for and never read: its upload failed before the catalogue heard of it, its deletion was reported and did not"
                    + " happen, or its record was lost. Does another catalogue or cluster use the bucket? Only then is it in use."),
    OBJECT_OF_DELETED_SEGMENT(
            "An object of a segment that the catalogue has as deleted.",
            "It is paid for and never read: its deletion was reported and did not happen in full."),
    ROW_WITHOUT_OBJECT(
            "A readable segment none of whose objects is there.",
            "Its records are lost to consumers: somebody, or a lifecycle rule of the bucket, deleted the objects."),
    INCOMPLETE_SEGMENT(
            "A readable segment some of whose objects are missing.",
            "Reading it fails. Look whether --files names what the RemoteStorageManager writes; if so, the missing ones were deleted.");

    private final String meaning;
    private final String advice;

    OrphanKind(String meaning, String advice) {
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

    /** Whether it is an object that nobody needs. */
    public boolean leaked() {
        return this == OBJECT_WITHOUT_ROW || this == OBJECT_OF_DELETED_SEGMENT;
    }
}
