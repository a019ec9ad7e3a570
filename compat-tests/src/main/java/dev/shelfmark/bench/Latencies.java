package dev.shelfmark.bench;

import java.util.Arrays;
import java.util.List;

/** How long single calls took. */
final class Latencies {

    private final long[] sorted;

    private Latencies(long[] nanos) {
        sorted = nanos;
        Arrays.sort(sorted);
    }

    static Latencies of(long[] nanos) {
        return new Latencies(nanos.clone());
    }

    static Latencies of(List<long[]> parts) {
        return new Latencies(parts.stream().flatMapToLong(Arrays::stream).toArray());
    }

    /** What a share of the calls (0 to 1) did not exceed. */
    long quantileNanos(double share) {
        return sorted[Math.max(0, (int) Math.ceil(sorted.length * share) - 1)];
    }

    int count() {
        return sorted.length;
    }
}
