package dev.shelfmark.migration.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Which name was probably meant. */
final class NearestName {

    private NearestName() {}

    /** The closest of these by edit distance, if it is close enough to be worth naming. */
    static Optional<String> to(String name, Collection<String> candidates) {
        return candidates.stream()
                .min(Comparator.<String>comparingInt(candidate -> distance(name, candidate))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(nearest -> distance(name, nearest) <= Math.max(2, name.length() / 2));
    }

    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
