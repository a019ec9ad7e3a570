package dev.shelfmark.tool.migrate.importing;

import dev.shelfmark.catalogue.rules.MetadataEvent.AddSegment;
import dev.shelfmark.catalogue.rules.MetadataEvent.UpdateSegment;
import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.BulkLoader.Checkpoint;
import dev.shelfmark.store.admin.BulkLoader.LoadResult;
import dev.shelfmark.store.admin.BulkLoader.Progress;
import dev.shelfmark.store.admin.PartitionLoad;
import dev.shelfmark.tool.kafka.SkipReason;
import dev.shelfmark.tool.kafka.TopicEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.server.log.remote.metadata.storage.RemoteLogMetadataTopicPartitioner;
import org.jspecify.annotations.Nullable;

/**
 * Loads the topic's records window by window, each of one metadata partition. Exactly once: a partition's load carries how far it came, so
 * that after a kill the rest of the window is folded onto what is there, and nothing twice. Used by one
 * thread at a time.
 */
final class WindowLoader {

    private static final int SEGMENTS_PER_STEP = 20_000;

    private final CatalogueStore store;
    private final BulkLoader loader;
    private final String clusterId;
    private final String sourceId;
    private final RemoteLogMetadataTopicPartitioner partitioner;
    private final SkippedEvents skipped;
    private final Map<Integer, Checkpoint> checkpoints = new TreeMap<>();
    private final Map<Integer, Map<PartitionKey, Progress>> interrupted = new HashMap<>();

    WindowLoader(
            CatalogueStore store,
            BulkLoader loader,
            String clusterId,
            String sourceId,
            int metadataPartitions,
            SkippedEvents skipped) {
        this.store = store;
        this.loader = loader;
        this.clusterId = clusterId;
        this.sourceId = sourceId;
        this.partitioner = new RemoteLogMetadataTopicPartitioner(metadataPartitions);
        this.skipped = skipped;
        checkpoints.putAll(loader.checkpoints());
    }

    /** Where each metadata partition goes on; one that was never begun is left out. */
    Map<Integer, Checkpoint> checkpoints() {
        return checkpoints;
    }

    /** All that was counted, by this run and those before it. */
    ImportCounters tally() {
        ImportCounters sum = new ImportCounters();
        checkpoints.values().forEach(checkpoint -> sum.add(ImportCounters.fromJson(checkpoint.note())));
        return sum;
    }

    /**
     * Loads what a metadata partition holds up to an offset, and moves its checkpoint there.
     *
     * @param events all of them, in order, from the checkpoint on
     */
    LoadResult load(int source, List<TopicEvent> events, long nextOffset) {
        Map<PartitionKey, Progress> before =
                interrupted.computeIfAbsent(source, unused -> new HashMap<>(loader.progress(source)));
        ImportCounters window = new ImportCounters();
        Map<PartitionKey, List<TopicEvent.Change>> changes = new LinkedHashMap<>();
        for (TopicEvent event : events) {
            if (event instanceof TopicEvent.Change change) {
                changes.computeIfAbsent(KafkaMapping.key(clusterId, change.partition()), unused -> new ArrayList<>())
                        .add(change);
            } else {
                SkipReason reason = ((TopicEvent.Unusable) event).reason();
                window.unusable(reason);
                skipped.add(event.record(), null, reason, "");
            }
        }
        // Those whose events all stand before the checkpoint are none of the window's: only their counts are owed.
        before.keySet().forEach(key -> changes.putIfAbsent(key, List.of()));
        LoadResult result = load(source, changes, before, nextOffset, window);
        if (result != LoadResult.LOADED) {
            return result;
        }
        Checkpoint last = checkpoints.get(source);
        window.add(ImportCounters.fromJson(last == null ? "" : last.note()));
        Checkpoint next = new Checkpoint(sourceId, nextOffset, window.toJson());
        result = loader.checkpoint(source, next);
        if (result == LoadResult.LOADED) {
            checkpoints.put(source, next);
            before.values().removeIf(progress -> progress.nextOffset() <= nextOffset);
        }
        return result;
    }

    private LoadResult load(
            int source,
            Map<PartitionKey, List<TopicEvent.Change>> changes,
            Map<PartitionKey, Progress> before,
            long nextOffset,
            ImportCounters window) {
        List<PartitionLoad> step = new ArrayList<>();
        int segments = 0;
        for (Map.Entry<PartitionKey, List<TopicEvent.Change>> entry : changes.entrySet()) {
            PartitionKey key = entry.getKey();
            Progress done = before.getOrDefault(key, new Progress(0, ""));
            if (done.nextOffset() > nextOffset) {
                // An earlier run came further with it than this window goes; it is counted with the window that does.
                continue;
            }
            List<TopicEvent.Change> rest = entry.getValue().stream()
                    .filter(change -> change.record().offset() >= done.nextOffset())
                    .toList();
            PartitionReplay fold = new PartitionReplay(
                    store, skipped, key, inItsPlace(source, entry.getValue()), ImportCounters.fromJson(done.note()));
            List<List<TopicEvent.Change>> chunks = chunks(rest);
            for (int i = 0; i < chunks.size(); i++) {
                if (i > 0) {
                    // The next chunk is decided on what this one makes of the partition, so that must be there to be
                    // read.
                    LoadResult result = load(step);
                    if (result != LoadResult.LOADED) {
                        return result;
                    }
                    segments = 0;
                }
                PartitionLoad load = fold.fold(source, chunks.get(i)).orElse(null);
                if (load != null) {
                    step.add(load);
                    segments += load.size();
                }
            }
            window.add(fold.tally());
            if (segments >= SEGMENTS_PER_STEP) {
                LoadResult result = load(step);
                if (result != LoadResult.LOADED) {
                    return result;
                }
                segments = 0;
            }
        }
        return load(step);
    }

    private LoadResult load(List<PartitionLoad> step) {
        skipped.flush();
        LoadResult result = step.isEmpty() ? loader.renew() : loader.load(step);
        step.clear();
        return result;
    }

    private boolean inItsPlace(int source, List<TopicEvent.Change> events) {
        return events.isEmpty() || partitioner.metadataPartition(events.get(0).partition()) == source;
    }

    /** Runs of events that name no more segments, and bring no more metadata, than the store loads in one step. */
    private List<List<TopicEvent.Change>> chunks(List<TopicEvent.Change> events) {
        int most = loader.maxSegmentsPerLoad();
        long mostBytes = loader.maxBytesPerLoad();
        // A run of few events names few segments, whichever they are.
        boolean few = events.size() <= most
                && events.stream().mapToLong(WindowLoader::bytes).sum() <= mostBytes;
        List<List<TopicEvent.Change>> chunks = new ArrayList<>();
        int from = 0;
        Set<UUID> named = new HashSet<>();
        long bytes = 0;
        for (int i = 0; i < events.size() && !few; i++) {
            UUID id = PartitionReplay.segmentId(events.get(i)).orElse(null);
            long more = bytes(events.get(i));
            boolean oneTooMany = id != null && !named.contains(id) && named.size() == most;
            if (oneTooMany || (i > from && bytes + more > mostBytes)) {
                chunks.add(events.subList(from, i));
                from = i;
                named.clear();
                bytes = 0;
            }
            if (id != null) {
                named.add(id);
            }
            bytes += more;
        }
        if (from < events.size()) {
            chunks.add(events.subList(from, events.size()));
        }
        return chunks;
    }

    /** What an event adds to {@link BulkLoader#maxBytesPerLoad}, counted again for each event of a segment. */
    private static long bytes(TopicEvent.Change change) {
        if (change.event() instanceof AddSegment add) {
            SegmentRecord segment = add.segment();
            return bytes(segment.customMetadata())
                    + (long) BulkLoader.EPOCH_BYTES * segment.leaderEpochs().size();
        }
        return change.event() instanceof UpdateSegment update ? bytes(update.customMetadata()) : 0;
    }

    private static long bytes(@Nullable CustomMetadata metadata) {
        return metadata == null ? 0 : metadata.size();
    }
}
