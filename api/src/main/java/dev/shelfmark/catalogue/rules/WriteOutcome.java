package dev.shelfmark.catalogue.rules;

/** What became of a {@link MetadataEvent}. */
public sealed interface WriteOutcome {

    /** The catalogue holds what was reported, durably: now, or since an earlier identical report. */
    record Done(boolean changed) implements WriteOutcome {}

    /**
     * Nothing changed and nothing needs to: a late report about a segment that is deleted or forgotten. The reporter may go on.
     *
     * @param reason with both states, for the log
     */
    record Ignored(String reason) implements WriteOutcome {}

    /**
     * Nothing changed, and the reporter must not go on as if it had.
     *
     * @param missing whether the segment is unknown, rather than in a state that forbids the change
     * @param reason with both states, for the log and the exception
     */
    record Refused(boolean missing, String reason) implements WriteOutcome {}
}
