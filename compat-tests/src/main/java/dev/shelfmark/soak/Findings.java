package dev.shelfmark.soak;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Broken promises that the checker found, and when; what else is worth telling. */
final class Findings {

    private static final int MOST = 50;

    private final PrintStream out;
    private long begun = System.nanoTime();
    private final List<String> broken = new ArrayList<>();

    Findings(PrintStream out) {
        this.out = out;
    }

    /** Times are told from now on. */
    synchronized void begin() {
        begun = System.nanoTime();
    }

    /** A promise is broken. */
    synchronized void broken(String what) {
        if (broken.size() < MOST && broken.stream().noneMatch(known -> known.endsWith(what))) {
            broken.add(time() + " " + what);
            out.println(time() + " BROKEN: " + what);
        }
    }

    /** Tells what is done. */
    synchronized void note(String what) {
        out.println(time() + " " + what);
    }

    synchronized List<String> all() {
        return List.copyOf(broken);
    }

    private String time() {
        return String.format(
                Locale.ROOT,
                "%6.1f s",
                Duration.ofNanos(System.nanoTime() - begun).toMillis() / 1e3);
    }
}
