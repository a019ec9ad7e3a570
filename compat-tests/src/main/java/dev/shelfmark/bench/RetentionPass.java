package dev.shelfmark.bench;

import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;

/**
 * What a broker's RemoteLogManager asks every 30 seconds for each partition that it leads, when nothing has expired: the whole list, for its
 * epochs, and then the list of the first epoch up to the first segment that stays.
 */
final class RetentionPass {

    private final RemoteLogMetadataManager manager;
    private final Layout layout;
    private final List<TopicIdPartition> partitions;

    RetentionPass(RemoteLogMetadataManager manager, Layout layout) {
        this.manager = manager;
        this.layout = layout;
        this.partitions = layout.all();
    }

    /** One pass over all partitions. */
    void run() {
        try {
            for (TopicIdPartition partition : partitions) {
                pass(partition);
            }
        } catch (RemoteStorageException e) {
            throw new IllegalStateException("a list was not answered", e);
        }
    }

    /** Lists one partition from begin to end. */
    void list(TopicIdPartition partition) throws RemoteStorageException {
        Iterator<RemoteLogSegmentMetadata> all = manager.listRemoteLogSegments(partition);
        int count = 0;
        long offsets = 0;
        while (all.hasNext()) {
            RemoteLogSegmentMetadata segment = all.next();
            count++;
            offsets += segment.endOffset() - segment.startOffset() + 1;
        }
        if (count != layout.live() || offsets != layout.nextOffset() - layout.firstOffset()) {
            throw new WrongAnswer(
                    "the list of " + partition + " has " + count + " segments and " + offsets + " offsets");
        }
    }

    private void pass(TopicIdPartition partition) throws RemoteStorageException {
        Set<Integer> epochs = new TreeSet<>();
        Iterator<RemoteLogSegmentMetadata> all = manager.listRemoteLogSegments(partition);
        int count = 0;
        while (all.hasNext()) {
            epochs.addAll(all.next().segmentLeaderEpochs().keySet());
            count++;
        }
        if (count != layout.live() || !epochs.equals(Set.of(Layout.EPOCH))) {
            throw new WrongAnswer("the list of " + partition + " has " + count + " segments of epochs " + epochs);
        }
        Iterator<RemoteLogSegmentMetadata> ofEpoch = manager.listRemoteLogSegments(partition, Layout.EPOCH);
        layout.check(ofEpoch.next(), partition, layout.firstOffset());
    }
}
