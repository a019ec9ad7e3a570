package dev.shelfmark.tool.migrate.importing;

import dev.shelfmark.tool.console.ProgressListener;
import dev.shelfmark.tool.kafka.BoundedRead;
import dev.shelfmark.tool.kafka.EventDecoder;
import dev.shelfmark.tool.kafka.MetadataReader;
import dev.shelfmark.tool.kafka.MetadataTopic.Offsets;
import dev.shelfmark.tool.kafka.TopicEvent;
import dev.shelfmark.tool.migrate.importing.TopicImport.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Reads the metadata partitions to their ends, one after the other, window by window, each window while the one before it is loaded. So two
 * windows are in memory at most. Used once.
 */
final class ImportPass {

    private final MetadataReader reader;
    private final WindowLoader windows;
    private final BackgroundLoad load;
    private final ProgressListener listener;
    private final BooleanSupplier stopped;
    private final Limits limits;
    private final EventDecoder decoder = new EventDecoder();
    private List<TopicEvent> window = new ArrayList<>();
    private long windowBegins;
    private long recordsInFlight;
    private Optional<ImportEnd> ending = Optional.empty();

    ImportPass(
            MetadataReader reader,
            WindowLoader windows,
            BackgroundLoad load,
            ProgressListener listener,
            BooleanSupplier stopped,
            Limits limits) {
        this.reader = reader;
        this.windows = windows;
        this.load = load;
        this.listener = listener;
        this.stopped = stopped;
        this.limits = limits;
    }

    /** Returns, or throws, when nothing is in flight any more. What became of a load counts before what was read after it. */
    ImportEnd run(List<Offsets> partitions, Map<Integer, Long> from) {
        try {
            for (Offsets offsets : partitions) {
                if (ending.isEmpty()) {
                    read(offsets, from.getOrDefault(offsets.partition(), offsets.start()));
                }
            }
        } catch (RuntimeException e) {
            Optional<ImportEnd> earlier = settledBefore(e);
            if (earlier.isEmpty()) {
                throw e;
            }
            return earlier.get();
        }
        return settled().or(() -> ending).orElse(ImportEnd.COMPLETE);
    }

    private void read(Offsets offsets, long position) {
        if (position >= offsets.end()) {
            return;
        }
        window = new ArrayList<>();
        windowBegins = position;
        new BoundedRead(reader, limits.stall()).read(offsets.partition(), position, offsets.end(), (records, now) -> {
            boolean atEnd = now >= offsets.end();
            boolean stop = stopped.getAsBoolean();
            window.addAll(decoder.decode(records));
            if (atEnd || stop || window.size() >= limits.recordsPerWindow()) {
                ending = settled();
                if (ending.isEmpty()) {
                    begin(offsets.partition(), now);
                }
            } else if (load.ended()) {
                ending = settled();
            }
            if (stop && !atEnd && ending.isEmpty()) {
                ending = Optional.of(ImportEnd.STOPPED);
            }
            return ending.isEmpty();
        });
    }

    private void begin(int partition, long now) {
        List<TopicEvent> events = window;
        load.begin(() -> windows.load(partition, events, now));
        recordsInFlight = now - windowBegins;
        window = new ArrayList<>();
        windowBegins = now;
    }

    /** Waits for the load in flight, if there is one; empty when it went well. */
    private Optional<ImportEnd> settled() {
        Optional<ImportEnd> ended = ImportEnd.after(load.settle());
        if (ended.isEmpty() && recordsInFlight > 0) {
            listener.read(recordsInFlight);
        }
        recordsInFlight = 0;
        return ended;
    }

    private Optional<ImportEnd> settledBefore(RuntimeException later) {
        try {
            return settled();
        } catch (RuntimeException e) {
            e.addSuppressed(later);
            throw e;
        }
    }
}
