package dev.shelfmark.quickstart;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;

/** Tells the story: numbered steps, each with what came out of it and how long it took. */
final class Narrator {

    private static final int WIDTH = 100;

    private final PrintStream out;
    private int step;

    Narrator(PrintStream out) {
        this.out = out;
    }

    void say(String line) {
        out.println(line);
    }

    /** Does a step; what it returns is said below the step's title. */
    void step(String title, Supplier<String> work) {
        String heading = String.format(Locale.ROOT, "%2d. %s", ++step, title);
        out.print(heading);
        out.flush();
        long begun = System.nanoTime();
        String outcome;
        try {
            outcome = work.get();
        } catch (RuntimeException e) {
            out.println();
            throw e;
        }
        String took = seconds(Duration.ofNanos(System.nanoTime() - begun));
        out.println(" ".repeat(Math.max(1, WIDTH - heading.length() - took.length())) + took);
        outcome.lines().forEach(line -> out.println("    " + line));
    }

    static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
    }
}
