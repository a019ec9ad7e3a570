package dev.shelfmark.compat.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Drops operations from a failing sequence as long as it still fails. */
final class Shrinker {

    private static final int MOST_TRIALS = 400;

    private Shrinker() {}

    static List<Operation> shrink(List<Operation> failing, Predicate<List<Operation>> stillFails) {
        List<Operation> smallest = failing;
        int trials = 0;
        for (int chunk = Math.max(1, failing.size() / 2); chunk >= 1; ) {
            boolean dropped = false;
            for (int from = 0; from < smallest.size() && trials < MOST_TRIALS; trials++) {
                List<Operation> less = new ArrayList<>(smallest.subList(0, from));
                less.addAll(smallest.subList(Math.min(smallest.size(), from + chunk), smallest.size()));
                if (stillFails.test(less)) {
                    smallest = less;
                    dropped = true;
                } else {
                    from += chunk;
                }
            }
            if (!dropped || trials >= MOST_TRIALS) {
                chunk = chunk == 1 || trials >= MOST_TRIALS ? 0 : chunk / 2;
            }
        }
        return smallest;
    }
}
