package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.catalogue.CatalogueListener;
import dev.shelfmark.catalogue.CatalogueSettings;
import dev.shelfmark.catalogue.SegmentCatalogue;
import dev.shelfmark.catalogue.rules.MetadataEvent;
import dev.shelfmark.catalogue.rules.WriteOutcome;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.LeaderEpochs;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.tool.storage.ObjectSource;
import dev.shelfmark.tool.storage.StoredObject;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Partitions as leaders copy and delete them, with overlaps, several epochs, transactions, custom metadata, uploads that are given up and
 * deletions that stop half way; and the bucket, in Aiven's layout, that this leaves. Of one seed it is always the same.
 */
final class RandomHistory implements ObjectSource {

    static final String CLUSTER = "MkU3OEVBNTcwNTJENDM2Qg";
    private static final String TOPIC = "orders-1";
    private static final List<String> FILES = List.of("log", "indexes", "rsm-manifest");

    private final Random random;
    private final SegmentCatalogue catalogue;
    private final boolean custom;
    private final boolean tellsEmpty;
    private final UUID topicId;
    private final Map<String, StoredObject> objects = new HashMap<>();
    private final Map<String, byte[]> contents = new HashMap<>();
    private final List<List<SegmentRecord>> byPartition = List.of(new ArrayList<>(), new ArrayList<>());
    private final long[] ends = new long[2];
    private final int[] epochs = new int[2];

    /** Uploads whose objects are all there, but which nobody ever reported as finished. */
    final Set<UUID> givenUpWhole = new LinkedHashSet<>();

    /** Segments that are no longer in the catalogue as finished, or not all of whose objects are there. */
    final Set<UUID> gone = new LinkedHashSet<>();

    /** Segments whose deletion began in the catalogue, and whose objects are all there. */
    final Set<UUID> deletionBegun = new LinkedHashSet<>();

    private List<SegmentRecord> finished = byPartition.get(0);
    private PartitionKey key;
    private long clock = 1_700_000_000_000L;
    private long next;
    private int epoch;

    RandomHistory(long seed, CatalogueStore store) {
        random = new Random(seed);
        custom = random.nextBoolean();
        tellsEmpty = random.nextBoolean();
        topicId = id();
        key = new PartitionKey(CLUSTER, topicId, 0);
        catalogue = new SegmentCatalogue(store, CatalogueSettings.defaults(), CatalogueListener.NONE, Runnable::run);
    }

    /** The fields of custom metadata that the remote storage keeps. */
    List<String> customMetadata() {
        return custom ? List.of("REMOTE_SIZE", "OBJECT_KEY") : List.of();
    }

    PartitionKey key(int partition) {
        return new PartitionKey(CLUSTER, topicId, partition);
    }

    Map<UUID, String> topics() {
        return Map.of(topicId, TOPIC);
    }

    /** Goes on for so many steps on each of two partitions. */
    RandomHistory play(int steps) {
        for (int partition = 0; partition < 2; partition++) {
            key = key(partition);
            next = 0;
            epoch = 0;
            finished = byPartition.get(partition);
            for (int i = 0; i < steps; i++) {
                step();
            }
            ends[partition] = next;
            epochs[partition] = epoch;
        }
        return this;
    }

    /** Goes on from where it ended. */
    RandomHistory playOn(int steps) {
        for (int partition = 0; partition < 2; partition++) {
            key = key(partition);
            next = ends[partition];
            epoch = epochs[partition];
            finished = byPartition.get(partition);
            for (int i = 0; i < steps; i++) {
                step();
            }
        }
        return this;
    }

    private void step() {
        switch (random.nextInt(10)) {
            case 0 -> epoch += 1 + random.nextInt(2);
            case 1 -> giveUp();
            case 2, 3 -> delete();
            case 4 -> {
                // A new leader, whose last known tiered offset is older, copies again.
                next = Math.max(0, next - random.nextInt(15));
                upload();
            }
            default -> upload();
        }
    }

    private UUID id() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    private SegmentRecord begin() {
        long end = next + random.nextInt(20);
        TreeMap<Integer, Long> epochs = new TreeMap<>(Map.of(epoch, next));
        if (end > next && random.nextInt(3) == 0) {
            epochs.put(++epoch, next + 1);
            if (random.nextBoolean()) {
                epochs.put(++epoch, next + 1);
            }
        }
        boolean empty = random.nextBoolean();
        SegmentRecord segment = SegmentRecord.builder(id(), next, end, LeaderEpochs.of(epochs))
                .maxTimestampMs(clock - random.nextInt(100_000))
                .sizeInBytes(1 + random.nextInt(1_000_000))
                .txnIndexEmpty(empty)
                .brokerId(random.nextInt(5))
                .eventTimestampMs(tick())
                .build();
        write(new MetadataEvent.AddSegment(segment));
        return segment;
    }

    private long tick() {
        return clock += 1 + random.nextInt(3);
    }

    private void put(SegmentRecord segment, String file) {
        String key = AivenObjects.key(TOPIC, topicId, this.key.partition(), segment, file);
        byte[] content = file.equals("rsm-manifest")
                ? AivenObjects.manifest(TOPIC, topicId, this.key.partition(), segment, tellsEmpty)
                : new byte[] {1, 2, 3};
        contents.put(key, content);
        objects.put(key, new StoredObject(key, content.length, Instant.ofEpochMilli(tick())));
    }

    private void upload() {
        SegmentRecord segment = begin();
        FILES.forEach(file -> put(segment, file));
        write(new MetadataEvent.UpdateSegment(
                segment.segmentId(),
                SegmentState.COPY_SEGMENT_FINISHED,
                custom ? kept(segment) : null,
                segment.brokerId(),
                clock));
        finished.add(segment);
        next = segment.endOffset() + 1;
    }

    /** Independent of how the layout makes it. */
    private CustomMetadata kept(SegmentRecord segment) {
        long size = 0;
        for (String file : FILES) {
            String object = AivenObjects.key(TOPIC, topicId, key.partition(), segment, file);
            size += Objects.requireNonNull(objects.get(object)).size();
        }
        String log = AivenObjects.key(TOPIC, topicId, key.partition(), segment, "log");
        byte[] path = log.substring(0, log.length() - 4).getBytes(StandardCharsets.UTF_8);
        byte[] bytes = new byte[3 + 2 + 3 + path.length];
        bytes[0] = 2;
        bytes[1] = 0;
        bytes[2] = 2;
        bytes[3] = (byte) (((2 * size) & 0x7F) | 0x80);
        bytes[4] = (byte) ((2 * size) >> 7);
        bytes[5] = 2;
        bytes[6] = (byte) (path.length + 1);
        bytes[7] = (byte) (path.length + 1);
        System.arraycopy(path, 0, bytes, 8, path.length);
        return CustomMetadata.of(bytes);
    }

    /** Some of the objects come to be there; the same offsets are copied again right away. */
    private void giveUp() {
        SegmentRecord segment = begin();
        int files = random.nextInt(4);
        FILES.subList(0, files).forEach(file -> put(segment, file));
        if (files == FILES.size()) {
            givenUpWhole.add(segment.segmentId());
        } else {
            gone.add(segment.segmentId());
        }
        upload();
    }

    private void delete() {
        if (finished.isEmpty()) {
            return;
        }
        SegmentRecord segment = finished.remove(random.nextInt(finished.size()));
        write(new MetadataEvent.UpdateSegment(
                segment.segmentId(), SegmentState.DELETE_SEGMENT_STARTED, null, segment.brokerId(), tick()));
        List<String> files = new ArrayList<>(FILES);
        java.util.Collections.shuffle(files, random);
        int deleted = random.nextInt(4);
        files.subList(0, deleted).forEach(file -> {
            String object = AivenObjects.key(TOPIC, topicId, key.partition(), segment, file);
            objects.remove(object);
            contents.remove(object);
        });
        (deleted == 0 ? deletionBegun : gone).add(segment.segmentId());
        if (deleted == FILES.size()) {
            write(new MetadataEvent.UpdateSegment(
                    segment.segmentId(), SegmentState.DELETE_SEGMENT_FINISHED, null, segment.brokerId(), tick()));
        }
    }

    private void write(MetadataEvent event) {
        for (WriteOutcome outcome : catalogue.write(key, TOPIC, List.of(event), Deadline.in(Duration.ofSeconds(10)))) {
            if (!outcome.equals(new WriteOutcome.Done(true))) {
                throw new AssertionError(TextualId.of(topicId) + ": " + outcome);
            }
        }
    }

    @Override
    public void forEach(Consumer<StoredObject> each) {
        List.copyOf(objects.values()).forEach(each);
    }

    @Override
    public InputStream open(String name) throws NoSuchFileException {
        byte[] content = contents.get(name);
        if (content == null) {
            throw new NoSuchFileException(name);
        }
        return new ByteArrayInputStream(content);
    }

    @Override
    public void close() {}
}
