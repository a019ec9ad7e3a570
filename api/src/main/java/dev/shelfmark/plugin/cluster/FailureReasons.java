package dev.shelfmark.plugin.cluster;

import dev.shelfmark.plugin.cluster.ClusterWatch.Sight;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Which sights are worth a line of the log. An outage may last for hours, and its reasons differ in how long an attempt took, or take turns; what
 * is known of the cluster is always worth one. For one thread.
 */
public final class FailureReasons {

    private static final Pattern NUMBERS = Pattern.compile("[0-9]+");
    private static final long AGAIN_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final int MANY = 100;

    private final Map<String, Long> toldAtNanos = new HashMap<>();
    private String last = "";

    /** Whether a sight tells anything that was not told already. */
    public boolean news(Sight before, Sight next) {
        if (before.state() != null || next.state() != null || toldAtNanos.size() > MANY) {
            toldAtNanos.clear();
            last = "";
        }
        if (next.state() != null) {
            return next.state() != before.state() || next.revision() != before.revision();
        }
        String kind = NUMBERS.matcher(next.reason()).replaceAll("#");
        long now = System.nanoTime();
        Long told = toldAtNanos.get(kind);
        boolean news = !kind.equals(last) && (told == null || now - told > AGAIN_NANOS);
        if (news) {
            toldAtNanos.put(kind, now);
            last = kind;
        }
        return news;
    }
}
