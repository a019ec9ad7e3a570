package dev.shelfmark.bench;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.Supplier;

/** Says what is going on, with how long it took. */
final class Progress {

    private final PrintStream out;
    private final long began = System.nanoTime();

    Progress(PrintStream out) {
        this.out = out;
    }

    <T> T step(String title, Supplier<T> work) {
        long stepBegan = System.nanoTime();
        T result = work.get();
        out.printf(Locale.ROOT, "%6.1f s  %-70s %7.1f s%n", seconds(began), title, seconds(stepBegan));
        return result;
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }
}
