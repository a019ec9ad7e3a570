package dev.shelfmark.tool.mend.rebuild;

import java.io.PrintWriter;
import java.util.Locale;

/** Says at the end what a rebuild has done, what it has left, and what nobody can know. */
final class RebuildSummary {

    private final RebuildReport report;
    private final PrintWriter err;

    RebuildSummary(RebuildReport report, PrintWriter err) {
        this.report = report;
        this.err = err;
    }

    void print(String clusterId, boolean dryRun, boolean askedBrokers) {
        for (SegmentAction action : SegmentAction.values()) {
            if (report.count(action) > 0) {
                line("%,d x %s: %s", report.count(action), action.column(), action.meaning());
            }
        }
        if (report.segments() == 0) {
            line("no segment was found: are --prefix and --layout right?");
        }
        if (report.overlaps() > 0) {
            line(
                    "note: %,d segments overlap others; which was finished last is only as certain as the times of their objects",
                    report.overlaps());
        }
        if (report.count(SegmentAction.UNKNOWN_TOPIC) > 0) {
            line(
                    askedBrokers
                            ? "note: --include-unknown-topics brings in segments of topics that the cluster does not have"
                            : "note: --bootstrap-server asks the brokers which topics are the cluster's;"
                                    + " --include-unknown-topics brings all in without asking");
        }
        long changed = report.count(SegmentAction.ADD) + report.count(SegmentAction.FINISH);
        if (changed > 0) {
            line(
                    "note: not known are deletions that had begun, the highest offsets of leader epochs without segments, and history");
        }
        if (!askedBrokers) {
            line("note: no broker was asked, so log start offsets are not known: give --bootstrap-server");
        }
        line(
                "%s%,d of %,d segments",
                dryRun ? "would bring in " : changed == 0 ? "nothing was changed: brought in " : "brought in ",
                changed,
                report.segments());
        if (!dryRun) {
            line(
                    "next: 'shelfmark check', 'shelfmark orphans', then 'shelfmark state set %s ready --yes --note ...'",
                    clusterId);
        }
    }

    private void line(String format, Object... values) {
        err.println(String.format(Locale.ROOT, format, values));
    }
}
