package dev.shelfmark.kafka;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Which of several names somebody may have meant. */
public final class NearestName {

    private NearestName() {}

    /** The name that takes the fewest single-character edits, if it is not wholly another. */
    public static Optional<String> of(String written, Collection<String> names) {
        return names.stream()
                .min(Comparator.comparingInt((String name) -> distance(written, name))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(name -> distance(written, name) <= Math.max(written.length(), name.length()) / 2);
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
                current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
