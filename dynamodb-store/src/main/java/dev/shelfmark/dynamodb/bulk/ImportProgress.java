package dev.shelfmark.dynamodb.bulk;

import dev.shelfmark.dynamodb.client.Call;
import dev.shelfmark.dynamodb.client.Table;
import dev.shelfmark.dynamodb.items.Item;
import dev.shelfmark.dynamodb.items.ItemKeys;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.admin.BulkLoader.Checkpoint;
import dev.shelfmark.store.admin.BulkLoader.Progress;
import dev.shelfmark.store.admin.PartitionLoad;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * How far sources and partitions were brought in. A checkpoint forgets its source's progress by naming a new generation, in one write
 * however much progress there is; what is left of the old one is swept before the next.
 *
 * <pre>
 * pk  "import#lkc-1"   sk  "CHECKPOINT#3"                              sourceId, nextOffset, note or packedNote, generation 2
 * pk  "import#lkc-1"   sk  "PROGRESS#3#2#AAAAAAAAAAAAAAAAAAAAAQ-0000000007"   nextOffset, note
 * </pre>
 */
public final class ImportProgress {

    private static final String SOURCE_ID = "sourceId";
    private static final String NEXT_OFFSET = "nextOffset";
    private static final String NOTE = "note";
    private static final String GENERATION = "generation";
    private static final String PACKED_NOTE = "packedNote";

    /** A note grows with the topics that it counts, and an item takes 400 KB: a longer one is kept as GZIP packs it. */
    private static final int LONGEST_PLAIN_NOTE = 100_000;

    private final Table table;
    private final String clusterId;
    private final Map<Integer, Long> generations = new HashMap<>();

    public ImportProgress(Table table, String clusterId) {
        this.table = table;
        this.clusterId = clusterId;
    }

    public Map<Integer, Checkpoint> checkpoints(Deadline deadline) {
        Map<Integer, Checkpoint> checkpoints = new TreeMap<>();
        query(ItemKeys.CHECKPOINT_PREFIX, deadline, item -> {
            int source = source(item);
            generations.put(source, item.number(GENERATION));
            checkpoints.put(source, new Checkpoint(item.text(SOURCE_ID), item.number(NEXT_OFFSET), note(item)));
        });
        return checkpoints;
    }

    Map<PartitionKey, Progress> progress(int source, Deadline deadline) {
        Map<PartitionKey, Progress> progress = new HashMap<>();
        String prefix = ItemKeys.progress(source, generation(source, deadline));
        query(
                prefix,
                deadline,
                item -> progress.put(partition(item, prefix), new Progress(item.number(NEXT_OFFSET), item.text(NOTE))));
        return progress;
    }

    TransactWriteItem put(PartitionLoad load, Deadline deadline) {
        Map<String, AttributeValue> item = item(ItemKeys.progress(load.source(), generation(load.source(), deadline))
                + ItemKeys.registered(load.key()));
        item.put(NEXT_OFFSET, number(load.progress().nextOffset()));
        item.put(NOTE, AttributeValue.fromS(load.progress().note()));
        return put(item);
    }

    TransactWriteItem put(int source, Checkpoint checkpoint, Deadline deadline) {
        Map<String, AttributeValue> item = item(ItemKeys.checkpoint(source));
        item.put(SOURCE_ID, AttributeValue.fromS(checkpoint.sourceId()));
        item.put(NEXT_OFFSET, number(checkpoint.nextOffset()));
        putNote(item, checkpoint.note());
        item.put(GENERATION, number(generation(source, deadline) + 1));
        return put(item);
    }

    private static void putNote(Map<String, AttributeValue> item, String note) {
        byte[] bytes = note.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= LONGEST_PLAIN_NOTE) {
            item.put(NOTE, AttributeValue.fromS(note));
            return;
        }
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("in memory", e);
        }
        item.put(PACKED_NOTE, AttributeValue.fromB(SdkBytes.fromByteArray(packed.toByteArray())));
    }

    private static String note(Item item) {
        byte[] packed = item.bytes(PACKED_NOTE).orElse(null);
        if (packed == null) {
            return item.text(NOTE);
        }
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw item.corrupt(PACKED_NOTE, "can't be unpacked", e);
        }
    }

    /** After a checkpoint was written: its generation is the current one. */
    void checkpointed(int source, Deadline deadline) {
        generations.put(source, generation(source, deadline) + 1);
    }

    /** After an unclear checkpoint: whatever is there counts. */
    void forgetGenerations() {
        generations.clear();
    }

    /** Takes away what the last checkpoint forgot. Before the next one, so that a failure here leaves nothing half done. */
    void sweep(int source, Deadline deadline) {
        List<String> forgotten = new ArrayList<>();
        long last = generation(source, deadline) - 1;
        query(ItemKeys.progress(source, last), deadline, item -> forgotten.add(item.sortKey()));
        table.delete(
                Call.changing("import.sweep", "sweep of old progress of cluster " + clusterId, deadline),
                ItemKeys.imports(clusterId),
                forgotten);
    }

    private long generation(int source, Deadline deadline) {
        return generations.computeIfAbsent(
                source,
                unused -> table.get(
                                Call.reading("import.read", "checkpoint of cluster " + clusterId, deadline),
                                ItemKeys.imports(clusterId),
                                ItemKeys.checkpoint(source))
                        .map(item -> item.number(GENERATION))
                        .orElse(0L));
    }

    private void query(String prefix, Deadline deadline, Consumer<Item> items) {
        table.query(
                Call.reading("import.read", "import of cluster " + clusterId, deadline),
                request -> request.keyConditionExpression("pk = :pk AND begins_with(sk, :prefix)")
                        .expressionAttributeValues(Map.of(
                                ":pk", AttributeValue.fromS(ItemKeys.imports(clusterId)),
                                ":prefix", AttributeValue.fromS(prefix))),
                items);
    }

    private static int source(Item item) {
        try {
            return Integer.parseInt(item.sortKey().substring(ItemKeys.CHECKPOINT_PREFIX.length()));
        } catch (NumberFormatException e) {
            throw item.corrupt(e);
        }
    }

    private PartitionKey partition(Item item, String prefix) {
        try {
            return ItemKeys.registered(clusterId, item.sortKey().substring(prefix.length()));
        } catch (IllegalArgumentException e) {
            throw item.corrupt(e);
        }
    }

    private Map<String, AttributeValue> item(String sortKey) {
        return new HashMap<>(ItemKeys.of(ItemKeys.imports(clusterId), sortKey));
    }

    private TransactWriteItem put(Map<String, AttributeValue> item) {
        return TransactWriteItem.builder()
                .put(Put.builder().tableName(table.name()).item(item).build())
                .build();
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }
}
