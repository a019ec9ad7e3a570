package dev.shelfmark.tool.audit.check;

import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.admin.CatalogueListing.Kept;
import dev.shelfmark.store.admin.CatalogueListing.Unreadable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** {@link AnomalyKind#UNREADABLE_ROW}. */
final class UnreadableRule implements Rule {

    private static final int MOST = 1_000;

    private final List<Finding> found = new ArrayList<>();

    @Override
    public void unreadable(Unreadable<SegmentRecord> row, Kept kept) {
        if (found.size() < MOST) {
            found.add(new Finding(AnomalyKind.UNREADABLE_ROW, row.id(), null, null, null, null, row.reason()));
        }
    }

    @Override
    public void end(PartitionHead head, Consumer<Finding> findings) {
        found.forEach(findings);
    }
}
