package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.tool.console.ProgressDisplay;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells how a rebuild goes on: progress, a line for each segment that a person must look at, the plan file and the report. */
final class RebuildOutput implements RebuildListener {

    /** So many segments of a kind are told one by one; the plan file has them all. */
    private static final long MOST_TOLD = 100;

    private final PrintWriter err;
    private final ProgressDisplay progress;
    private final @Nullable PlanFile planFile;
    private final RebuildReport report = new RebuildReport();
    private final Map<SegmentAction, Long> told = new EnumMap<>(SegmentAction.class);

    RebuildOutput(PrintWriter err, ProgressDisplay progress, @Nullable PlanFile planFile) {
        this.err = err;
        this.progress = progress;
        this.planFile = planFile;
    }

    RebuildReport report() {
        return report;
    }

    @Override
    public void listed(long objects) {
        progress.soFar(() -> String.format(Locale.ROOT, "listed %,d objects", objects));
    }

    @Override
    public void read(long segments) {
        progress.soFar(() -> String.format(Locale.ROOT, "read %,d segments", segments));
    }

    @Override
    public void planned(String topic, PlannedSegment planned) {
        report.add(topic, planned);
        if (planFile != null) {
            planFile.write(topic, planned);
        }
        boolean quiet =
                planned.action() == SegmentAction.KEEP || planned.action().changes();
        if (!quiet) {
            tell(planned.action(), topic, planned, planned.reason());
        }
        planned.notes().forEach(note -> tell(planned.action(), topic, planned, note));
        progress.soFar(() -> String.format(Locale.ROOT, "decided on %,d segments", report.segments()));
    }

    private void tell(SegmentAction action, String topic, PlannedSegment planned, String what) {
        long number = told.merge(action, 1L, Long::sum);
        if (number <= MOST_TOLD) {
            notice(action.column() + ": " + topic + "-" + planned.found().name().partition() + ", segment "
                    + planned.found().name() + ": " + what);
        } else if (number == MOST_TOLD + 1) {
            notice(action.column() + ": more than " + MOST_TOLD + "; --plan FILE has them all");
        }
    }

    @Override
    public void notice(String line) {
        progress.end();
        err.println(line);
    }
}
