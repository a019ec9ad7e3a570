package dev.shelfmark.tool.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Reads the metadata topic from given offsets on, each partition in its order. Used by one thread. */
public interface MetadataReader extends AutoCloseable {

    /** Reads exactly these partitions from now on, each from its offset. */
    void seek(Map<Integer, Long> offsets);

    /** What comes next, or nothing when nothing arrived in this time. */
    List<MetadataRecord> poll(Duration wait);

    /** For each partition that is read, the offset that comes next: past gaps that hold no records. */
    Map<Integer, Long> positions();

    /** For each partition that is read, one past the last offset that is there now. */
    Map<Integer, Long> ends();

    @Override
    void close();
}
