package dev.shelfmark.catalogue.index;

import dev.shelfmark.catalogue.Segments;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import java.util.Iterator;
import java.util.Map;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** An index that was handed out stays as it is while the editor that made it goes on: who reads it without a lock sees one state or the next, never both. */
@Param(name = "segment", gen = IntGen.class, conf = "1:4")
public class IndexEditorLincheckTest {

    private final IndexEditor editor = new IndexEditor();
    private volatile PartitionIndex published = editor.index(PartitionHead.NEW);

    private void put(int number, SegmentState state) {
        SegmentRecord started = Segments.segment(number, number * 10L, number * 10L + 9, Map.of(0, number * 10L));
        editor.put(new SegmentRecord(
                started.segmentId(),
                started.startOffset(),
                started.endOffset(),
                started.leaderEpochs(),
                state,
                started.maxTimestampMs(),
                started.sizeInBytes(),
                started.txnIndexEmpty(),
                null,
                1,
                started.eventTimestampMs(),
                number,
                number));
        published = editor.index(PartitionHead.NEW);
    }

    @Operation(nonParallelGroup = "editor")
    public void add(@Param(name = "segment") int number) {
        put(number, SegmentState.COPY_SEGMENT_FINISHED);
    }

    @Operation(nonParallelGroup = "editor")
    public void remove(@Param(name = "segment") int number) {
        put(number, SegmentState.DELETE_SEGMENT_FINISHED);
    }

    /** What a list gives, and how many there are. */
    @Operation
    public String list() {
        PartitionIndex index = published;
        StringBuilder offsets = new StringBuilder().append(index.size());
        Iterator<Long> all =
                index.list((segments, position) -> segments.segment(position).startOffset());
        while (all.hasNext()) {
            offsets.append(' ').append(all.next());
        }
        return offsets.toString();
    }

    /** What a lookup gives. */
    @Operation
    public boolean holds(@Param(name = "segment") int number) {
        return published
                .lookup(
                        0,
                        number * 10L + 5,
                        (segments, position) -> segments.segment(position).startOffset())
                .isPresent();
    }

    @Test
    void anIndexThatWasHandedOutStaysAsItIs() {
        new ModelCheckingOptions()
                .iterations(5)
                .invocationsPerIteration(60)
                .threads(2)
                .actorsPerThread(3)
                .check(IndexEditorLincheckTest.class);
    }
}
