package dev.shelfmark.migration.history;

import dev.shelfmark.migration.brokers.BoundedRead;
import dev.shelfmark.migration.brokers.MetadataReader;
import dev.shelfmark.migration.brokers.MetadataRecord;
import dev.shelfmark.migration.brokers.MetadataTopic;
import dev.shelfmark.migration.brokers.MetadataTopic.Offsets;
import dev.shelfmark.migration.outcome.ToolFailure;
import dev.shelfmark.store.BulkLoader;
import dev.shelfmark.store.BulkLoader.Checkpoint;
import dev.shelfmark.store.BulkLoader.LoadResult;
import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Reads the metadata topic into the catalogue: first each metadata partition from its checkpoint to the end that was captured at the
 * start, one after the other; then, if wanted, what arrives. When the store fails for a moment it goes on from the checkpoints.
 */
public final class HistoryImport {

    private static final Duration POLL = Duration.ofMillis(500);
    private static final int ATTEMPTS_WITHOUT_PROGRESS = 8;
    private static final long LONGEST_PAUSE_MS = 20_000;

    private final CatalogueStore store;
    private final BulkLoader loader;
    private final String clusterId;
    private final MetadataTopic topic;
    private final MetadataReader reader;
    private final SkippedEvents skipped;
    private final ImportListener listener;
    private final BooleanSupplier stopped;
    private final Limits limits;
    private WindowLoader windows;
    private boolean stale;

    /**
     * How much, how long.
     *
     * @param recordsPerWindow how many records are held in memory and loaded together
     * @param stall how long the brokers may send nothing although there is more
     * @param firstPause how long to wait after a first failure; doubled with each that follows without progress
     */
    public record Limits(int recordsPerWindow, Duration stall, Duration firstPause) {
        public static final Limits DEFAULT = new Limits(50_000, Duration.ofSeconds(60), Duration.ofMillis(200));
    }

    /**
     * @param topic as it was when the import began: its ends are how far {@link #history} reads
     * @param stopped asked often; true ends the import after what was read is loaded
     */
    public HistoryImport(
            CatalogueStore store,
            BulkLoader loader,
            String clusterId,
            MetadataTopic topic,
            MetadataReader reader,
            SkippedEvents skipped,
            ImportListener listener,
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
    public Ending history() {
        listener.begins(topic.partitions().stream()
                .mapToLong(offsets -> Math.max(0, offsets.end() - next(offsets)))
                .sum());
        for (Offsets offsets : topic.partitions()) {
            Ending ending = retried(() -> history(offsets));
            if (ending != Ending.COMPLETE) {
                return ending;
            }
        }
        listener.caughtUp();
        return Ending.COMPLETE;
    }

    /** Goes on with what arrives, until it is stopped or the cluster is switched. */
    public Ending follow() {
        return retried(this::followOnce);
    }

    /** What was counted, by this run and those before it. */
    public Tally tally() {
        return windows.tally();
    }

    private long next(Offsets offsets) {
        Checkpoint checkpoint = windows.checkpoints().get(offsets.partition());
        // Where the head was cut beyond the checkpoint, the operator was told and has agreed.
        return checkpoint == null ? offsets.start() : Math.max(offsets.start(), checkpoint.nextOffset());
    }

    private Ending history(Offsets offsets) {
        int partition = offsets.partition();
        long position = next(offsets);
        if (position >= offsets.end()) {
            return Ending.COMPLETE;
        }
        Window window = new Window(position);
        new BoundedRead(reader, limits.stall()).read(partition, position, offsets.end(), (records, now) -> {
            window.records.addAll(records);
            boolean stop = stopped.getAsBoolean();
            if (now >= offsets.end() || stop || window.records.size() >= limits.recordsPerWindow()) {
                window.ending = loaded(windows.load(partition, window.records, now));
                window.records.clear();
                listener.read(now - window.from);
                window.from = now;
            }
            if (stop && window.ending.isEmpty() && now < offsets.end()) {
                window.ending = Optional.of(Ending.STOPPED);
            }
            return window.ending.isEmpty();
        });
        return window.ending.orElse(Ending.COMPLETE);
    }

    /** What is read of a metadata partition and not loaded yet. */
    private static final class Window {
        final List<MetadataRecord> records = new ArrayList<>();
        long from;
        Optional<Ending> ending = Optional.empty();

        Window(long from) {
            this.from = from;
        }
    }

    private Ending followOnce() {
        Map<Integer, Long> positions = new TreeMap<>();
        topic.partitions().forEach(offsets -> positions.put(offsets.partition(), next(offsets)));
        reader.seek(positions);
        while (!stopped.getAsBoolean()) {
            Map<Integer, List<MetadataRecord>> arrived = new HashMap<>();
            for (MetadataRecord record : reader.poll(POLL)) {
                arrived.computeIfAbsent(record.partition(), unused -> new ArrayList<>())
                        .add(record);
            }
            Map<Integer, Long> now = reader.positions();
            for (Map.Entry<Integer, List<MetadataRecord>> entry : arrived.entrySet()) {
                Optional<Ending> ending =
                        loaded(windows.load(entry.getKey(), entry.getValue(), now.getOrDefault(entry.getKey(), 0L)));
                if (ending.isPresent()) {
                    return ending.get();
                }
            }
            Optional<Ending> ending = arrived.isEmpty() ? loaded(loader.renew()) : Optional.empty();
            if (ending.isPresent()) {
                return ending.get();
            }
            long behind = 0;
            for (Map.Entry<Integer, Long> end : reader.ends().entrySet()) {
                behind += Math.max(0, end.getValue() - now.getOrDefault(end.getKey(), 0L));
            }
            listener.behind(behind);
        }
        return Ending.STOPPED;
    }

    private static Optional<Ending> loaded(LoadResult result) {
        return switch (result) {
            case LOADED -> Optional.empty();
            case NOT_IMPORTING -> Optional.of(Ending.SWITCHED);
            case CLAIM_LOST ->
                throw ToolFailure.refused("another import of this cluster took over, because this one was"
                        + " silent for too long; let that one finish, or stop it and run this again");
            case VERSION_CONFLICT ->
                throw ToolFailure.refused("a partition was changed by somebody else while its history was"
                        + " brought in; find out who writes to this catalogue, then run the same command again");
        };
    }

    /** One piece of work, begun again from the checkpoints while the failures are passing ones and it still moves. */
    private Ending retried(Supplier<Ending> work) {
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
        long ceiling = Math.min(LONGEST_PAUSE_MS, limits.firstPause().toMillis() << (attempt - 1));
        try {
            Thread.sleep(ThreadLocalRandom.current().nextLong(ceiling / 2, ceiling + 1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure;
        }
    }
}
