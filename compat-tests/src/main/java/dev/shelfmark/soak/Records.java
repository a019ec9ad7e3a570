package dev.shelfmark.soak;

import java.util.HashSet;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** What a partition must hold: the records that were acknowledged, and those that must not be seen. */
final class Records {

    private final NavigableMap<Long, String> acknowledged = new TreeMap<>();
    private final Set<String> aborted = new HashSet<>();

    /** A record that was acknowledged with this offset; one of a transaction only once it is committed. */
    synchronized void acknowledged(long offset, String value) {
        acknowledged.put(offset, value);
    }

    /** A record of a transaction that was aborted. */
    synchronized void aborted(String value) {
        aborted.add(value);
    }

    /** What was acknowledged until now, by offset. */
    synchronized NavigableMap<Long, String> snapshot() {
        return new TreeMap<>(acknowledged);
    }

    synchronized boolean isAborted(String value) {
        return aborted.contains(value);
    }

    synchronized int size() {
        return acknowledged.size();
    }
}
