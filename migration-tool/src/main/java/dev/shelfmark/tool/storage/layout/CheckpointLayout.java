package dev.shelfmark.tool.storage.layout;

import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.tool.storage.ObjectContents;
import dev.shelfmark.tool.storage.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A layout without a manifest: what a segment is, its log and its leader-epoch checkpoint tell. */
abstract class CheckpointLayout implements SegmentLayout {

    private final String log;
    private final String checkpoint;
    private final String transactions;

    /**
     * The files of a segment.
     *
     * @param log its log
     * @param checkpoint its leader-epoch checkpoint
     * @param transactions its transaction index, which may be missing
     */
    CheckpointLayout(String log, String checkpoint, String transactions) {
        this.log = log;
        this.checkpoint = checkpoint;
        this.transactions = transactions;
    }

    /** The topic's name if the keys tell it. */
    abstract @Nullable String topic(StoredObject log);

    /** The start offset if the keys tell it, or -1. */
    abstract long startOffset(StoredObject log);

    /** The bytes that the RemoteStorageManager keeps with the segment. */
    @Nullable
    CustomMetadata customMetadata(StoredSegment segment, ObjectContents contents) throws IOException {
        return null;
    }

    @Override
    public final SegmentDescription describe(StoredSegment segment, ObjectContents contents)
            throws UnreadableSegmentException, IOException {
        StoredObject file = segment.object(log);
        if (file.size() > Integer.MAX_VALUE) {
            throw new UnreadableSegmentException("its log has " + file.size() + " bytes");
        }
        LogEnd end;
        try (InputStream in = contents.open(file.key())) {
            end = LogEnd.read(in, file.size());
        }
        long start = startOffset(file);
        if (start < 0) {
            start = end.firstOffset();
        }
        if (end.firstOffset() < start) {
            throw new UnreadableSegmentException("its log begins at offset " + end.firstOffset()
                    + ", before the start offset " + start + " in its key");
        }
        EpochCheckpoint epochs;
        try (InputStream in = contents.open(segment.object(checkpoint).key())) {
            epochs = EpochCheckpoint.read(in);
        }
        StoredObject index = segment.files().get(transactions);
        Instant modified = segment.lastModified();
        return new SegmentDescription(
                topic(file),
                start,
                end.lastOffset(),
                epochs.within(start, end.lastOffset()),
                end.maxTimestampMs(),
                (int) file.size(),
                index == null || index.size() == 0,
                customMetadata(segment, contents),
                SegmentDescription.UNKNOWN_BROKER,
                -1,
                modified == null ? -1 : modified.toEpochMilli());
    }
}
