package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.tool.storage.layout.SegmentDescription;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a row of the catalogue and a segment's objects speak of the same segment. */
final class RowComparison {

    private RowComparison() {}

    /** What differs, for people; empty when nothing does. What only an operator may have left out is no difference. */
    static String differences(SegmentRecord row, SegmentDescription objects) {
        List<String> differences = new ArrayList<>();
        compare(differences, "start offset", row.startOffset(), objects.startOffset());
        compare(differences, "end offset", row.endOffset(), objects.endOffset());
        compare(differences, "leader epochs", row.leaderEpochs(), objects.leaderEpochs());
        compare(differences, "size", row.sizeInBytes(), objects.sizeInBytes());
        // Where no record has a timestamp, brokers take the file's, which no object keeps.
        if (objects.maxTimestampMs() >= 0) {
            compare(differences, "greatest timestamp", row.maxTimestampMs(), objects.maxTimestampMs());
        }
        // Older brokers do not report that there is none.
        if (row.txnIndexEmpty() && !objects.txnIndexEmpty()) {
            compare(differences, "transaction index", "none", "one");
        }
        if (row.state() == SegmentState.COPY_SEGMENT_FINISHED && objects.customMetadata() != null) {
            compare(differences, "custom metadata", row.customMetadata(), objects.customMetadata());
        }
        return String.join("; ", differences);
    }

    private static void compare(List<String> differences, String what, @Nullable Object row, Object objects) {
        if (!objects.equals(row)) {
            differences.add(what + " " + row + " in the catalogue, " + objects + " in the storage");
        }
    }
}
