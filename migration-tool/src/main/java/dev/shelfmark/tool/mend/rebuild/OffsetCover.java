package dev.shelfmark.tool.mend.rebuild;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Which offsets segments have. */
final class OffsetCover {

    /** Ranges that do not touch each other, by start. */
    private final NavigableMap<Long, Long> endByStart = new TreeMap<>();

    /** Adds a range, both ends included. */
    void add(long start, long end) {
        long from = start;
        long to = end;
        Map.Entry<Long, Long> other = endByStart.floorEntry(to);
        while (other != null && other.getValue() >= from) {
            from = Math.min(from, other.getKey());
            to = Math.max(to, other.getValue());
            endByStart.remove(other.getKey());
            other = endByStart.floorEntry(to);
        }
        endByStart.put(from, to);
    }

    /** Whether any offset of a range is among them. */
    boolean touches(long start, long end) {
        Map.Entry<Long, Long> other = endByStart.floorEntry(end);
        return other != null && other.getValue() >= start;
    }
}
