package dev.shelfmark.tool.migrate.importing;

import dev.shelfmark.retry.Backoff;
import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.BulkLoader.Checkpoint;
import dev.shelfmark.tool.console.ProgressListener;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.EventDecoder;
import dev.shelfmark.tool.kafka.MetadataReader;
import dev.shelfmark.tool.kafka.MetadataRecord;
import dev.shelfmark.tool.kafka.MetadataTopic;
import dev.shelfmark.tool.kafka.MetadataTopic.Offsets;
import dev.shelfmark.tool.kafka.TopicEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Reads the metadata topic into the catalogue: first each metadata partition from its checkpoint to the end that was captured at the
 * start, one after the other; then, if wanted, what arrives. When the store fails for a moment it goes on from the checkpoints. Whatever is
 * asked of the store while history is read is asked by one thread at a time.
 */
public final class TopicImport {

    private static final Duration POLL = Duration.ofMillis(500);
    private static final int ATTEMPTS_WITHOUT_PROGRESS = 8;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(20);

    private final CatalogueStore store;
    private final BulkLoader loader;
    private final String clusterId;
    private final MetadataTopic topic;
    private final MetadataReader reader;
    private final SkippedEvents skipped;
    private final ProgressListener listener;
    private final BooleanSupplier stopped;
    private final Limits limits;
    private final EventDecoder decoder = new EventDecoder();
    private WindowLoader windows;
    private boolean stale;

    /**
     * How much, how long.
     *
     * @param recordsPerWindow how many records are loaded together; as many are read meanwhile
     * @param stall how long the brokers may send nothing although there is more
     * @param firstPause how long to wait after a first failure; doubled with each that follows without progress
     */
    public record Limits(int recordsPerWindow, Duration stall, Duration firstPause) {
        public static final Limits DEFAULT = new Limits(25_000, Duration.ofSeconds(60), Duration.ofMillis(200));
    }

    /**
     * @param topic as it was when the import began: its ends are how far {@link #history} reads
     * @param stopped asked often; true ends the import after what was read is loaded
     */
    public TopicImport(
            CatalogueStore store,
            BulkLoader loader,
            String clusterId,
            MetadataTopic topic,
            MetadataReader reader,
            SkippedEvents skipped,
            ProgressListener listener,
            BooleanSupplier stopped,
            Limits limits) {
        this.store = store;
        this.loader = loader;
        this.clusterId = clusterId;
        this.topic = topic;
        this.reader = reader;
        this.skipped = skipped;
        this.listener = listener;
        this.stopped = stopped;
        this.limits = limits;
        this.windows = newWindows();
    }

    private WindowLoader newWindows() {
        return new WindowLoader(
                store,
                loader,
                clusterId,
                topic.id().toString(),
                topic.partitions().size(),
                skipped);
    }

    /** Brings in what is there. */
    public ImportEnd history() {
        Map<Integer, Long> from = positions();
        listener.begins(topic.partitions().stream()
                .mapToLong(offsets -> Math.max(0, offsets.end() - from.getOrDefault(offsets.partition(), 0L)))
                .sum());
        ImportEnd ending = retried(this::historyOnce);
        if (ending == ImportEnd.COMPLETE) {
            listener.caughtUp();
        }
        return ending;
    }

    /** Goes on with what arrives, until it is stopped or the cluster is switched. */
    public ImportEnd follow() {
        return retried(this::followOnce);
    }

    /** What was counted, by this run and those before it. */
    public ImportCounters tally() {
        return windows.tally();
    }

    /** Where each metadata partition goes on. Not while a load is in flight, which moves checkpoints. */
    private Map<Integer, Long> positions() {
        Map<Integer, Long> positions = new TreeMap<>();
        for (Offsets offsets : topic.partitions()) {
            Checkpoint checkpoint = windows.checkpoints().get(offsets.partition());
            // Where the head was cut beyond the checkpoint, the operator was told and has agreed.
            positions.put(
                    offsets.partition(),
                    checkpoint == null ? offsets.start() : Math.max(offsets.start(), checkpoint.nextOffset()));
        }
        return positions;
    }

    private ImportEnd historyOnce() {
        Map<Integer, Long> from = positions();
        try (BackgroundLoad load = new BackgroundLoad()) {
            return new ImportPass(reader, windows, load, listener, stopped, limits).run(topic.partitions(), from);
        }
    }

    private ImportEnd followOnce() {
        reader.seek(positions());
        while (!stopped.getAsBoolean()) {
            Map<Integer, List<MetadataRecord>> arrived = new HashMap<>();
            for (MetadataRecord record : reader.poll(POLL)) {
                arrived.computeIfAbsent(record.partition(), unused -> new ArrayList<>())
                        .add(record);
            }
            Map<Integer, Long> now = reader.positions();
            for (Map.Entry<Integer, List<MetadataRecord>> entry : arrived.entrySet()) {
                int partition = entry.getKey();
                List<TopicEvent> events = decoder.decode(entry.getValue());
                Optional<ImportEnd> ending =
                        ImportEnd.after(windows.load(partition, events, now.getOrDefault(partition, 0L)));
                if (ending.isPresent()) {
                    return ending.get();
                }
            }
            Optional<ImportEnd> ending = arrived.isEmpty() ? ImportEnd.after(loader.renew()) : Optional.empty();
            if (ending.isPresent()) {
                return ending.get();
            }
            long behind = 0;
            for (Map.Entry<Integer, Long> end : reader.ends().entrySet()) {
                behind += Math.max(0, end.getValue() - now.getOrDefault(end.getKey(), 0L));
            }
            listener.behind(behind);
        }
        return ImportEnd.STOPPED;
    }

    /** One piece of work, begun again from the checkpoints while the failures are passing ones and it still moves. */
    private ImportEnd retried(Supplier<ImportEnd> work) {
        int attempts = 0;
        long before = sum();
        while (true) {
            try {
                if (stale) {
                    // What was sent before the failure may be there or not: only the store knows.
                    windows = newWindows();
                    stale = false;
                }
                return work.get();
            } catch (StoreException | ToolFailure e) {
                if (!passing(e) || stopped.getAsBoolean()) {
                    throw e;
                }
                attempts = sum() > before ? 1 : attempts + 1;
                before = sum();
                if (attempts > ATTEMPTS_WITHOUT_PROGRESS) {
                    throw e;
                }
                stale = true;
                listener.retries(String.valueOf(e.getMessage()));
                pause(attempts, e);
            }
        }
    }

    private long sum() {
        return windows.checkpoints().values().stream()
                .mapToLong(Checkpoint::nextOffset)
                .sum();
    }

    private static boolean passing(RuntimeException failure) {
        return failure instanceof StoreException.Unavailable
                || failure instanceof StoreException.OutcomeUnknown
                || failure.getCause() instanceof RetriableException;
    }

    private void pause(int attempt, RuntimeException failure) {
        try {
            Deadline over = Deadline.in(new Backoff(limits.firstPause(), LONGEST_PAUSE).pause(attempt));
            while (!over.passed() && !stopped.getAsBoolean()) {
                Thread.sleep(Math.min(POLL.toMillis(), Math.max(1, TimeUnit.NANOSECONDS.toMillis(over.nanosLeft()))));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure;
        }
    }
}
