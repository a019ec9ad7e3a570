package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.tool.storage.layout.SegmentDescription;
import dev.shelfmark.tool.storage.layout.SegmentName;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes found segments to a temporary file and reads them again. */
final class FoundSegmentCodec {

    private static final int NONE = -1;

    private FoundSegmentCodec() {}

    static void write(FoundSegment found, DataOutputStream out) throws IOException {
        out.writeLong(found.name().topicId().getMostSignificantBits());
        out.writeLong(found.name().topicId().getLeastSignificantBits());
        out.writeInt(found.name().partition());
        out.writeLong(found.name().segmentId().getMostSignificantBits());
        out.writeLong(found.name().segmentId().getLeastSignificantBits());
        SegmentDescription description = found.description();
        out.writeBoolean(description != null);
        if (description == null) {
            out.writeUTF(Objects.requireNonNull(found.trouble()).name());
            out.writeUTF(found.reason());
            return;
        }
        out.writeUTF(description.topic() == null ? "" : description.topic());
        out.writeLong(description.startOffset());
        out.writeLong(description.endOffset());
        LeaderEpochs epochs = description.leaderEpochs();
        out.writeInt(epochs.size());
        for (int i = 0; i < epochs.size(); i++) {
            out.writeInt(epochs.epoch(i));
            out.writeLong(epochs.startOffset(i));
        }
        out.writeLong(description.maxTimestampMs());
        out.writeInt(description.sizeInBytes());
        out.writeBoolean(description.txnIndexEmpty());
        CustomMetadata custom = description.customMetadata();
        out.writeInt(custom == null ? NONE : custom.size());
        if (custom != null) {
            out.write(custom.bytes());
        }
        out.writeInt(description.brokerId());
        out.writeLong(description.startedMs());
        out.writeLong(description.finishedMs());
    }

    static FoundSegment read(DataInputStream in) throws IOException {
        UUID topicId = new UUID(in.readLong(), in.readLong());
        int partition = in.readInt();
        SegmentName name = new SegmentName(topicId, partition, new UUID(in.readLong(), in.readLong()));
        if (!in.readBoolean()) {
            return FoundSegment.troubled(name, SegmentAction.valueOf(in.readUTF()), in.readUTF());
        }
        String topic = in.readUTF();
        return FoundSegment.described(
                name,
                new SegmentDescription(
                        topic.isEmpty() ? null : topic,
                        in.readLong(),
                        in.readLong(),
                        epochs(in),
                        in.readLong(),
                        in.readInt(),
                        in.readBoolean(),
                        custom(in),
                        in.readInt(),
                        in.readLong(),
                        in.readLong()));
    }

    private static LeaderEpochs epochs(DataInputStream in) throws IOException {
        int[] epochs = new int[in.readInt()];
        long[] starts = new long[epochs.length];
        for (int i = 0; i < epochs.length; i++) {
            epochs[i] = in.readInt();
            starts[i] = in.readLong();
        }
        return LeaderEpochs.of(epochs, starts);
    }

    private static @Nullable CustomMetadata custom(DataInputStream in) throws IOException {
        int size = in.readInt();
        return size == NONE ? null : CustomMetadata.of(in.readNBytes(size));
    }
}
