package dev.shelfmark.tool.console;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Shows how an import goes: a bar that is drawn over on a terminal, a line now and then elsewhere. */
public final class ProgressDisplay implements ProgressListener {

    private static final int WIDTH = 30;
    private static final double NANOS = 1e9;

    private final PrintWriter err;
    private final boolean terminal;
    private final LongSupplier nanoTime;
    private final long everyNanos;
    private long total;
    private long done;
    private long startedAt;
    private long shownAt;
    private boolean drawn;

    /** On an error stream that somebody watches, or that goes to a log. */
    public ProgressDisplay(PrintWriter err, boolean terminal, LongSupplier nanoTime) {
        this.err = err;
        this.terminal = terminal;
        this.nanoTime = nanoTime;
        this.everyNanos = (long) (NANOS * (terminal ? 0.2 : 10));
        this.startedAt = nanoTime.getAsLong();
        this.shownAt = startedAt;
    }

    @Override
    public void begins(long records) {
        total = records;
        done = 0;
        startedAt = nanoTime.getAsLong();
        shownAt = startedAt;
        line("reading " + grouped(records) + " records");
    }

    @Override
    public void read(long records) {
        done += records;
        if (due() || done == total) {
            show(bar());
        }
    }

    private String bar() {
        double seconds = Math.max(1e-3, (nanoTime.getAsLong() - startedAt) / NANOS);
        double share = total == 0 ? 1 : (double) done / total;
        double rate = done / seconds;
        int filled = (int) (share * WIDTH);
        String left = done == 0 ? "?" : duration((total - done) / rate);
        return String.format(
                Locale.ROOT,
                "[%s%s] %3.0f %%  %s of %s records  %s/s  %s left",
                "#".repeat(filled),
                "-".repeat(WIDTH - filled),
                share * 100,
                grouped(done),
                grouped(total),
                grouped((long) rate),
                left);
    }

    private static String duration(double seconds) {
        long whole = (long) Math.ceil(seconds);
        return whole < 120 ? whole + " s" : (whole / 60) + " min";
    }

    @Override
    public void caughtUp() {
        line("everything that was there when it began is in");
    }

    @Override
    public void behind(long records) {
        if (due()) {
            show("following: " + (records == 0 ? "up to date" : grouped(records) + " records behind"));
        }
    }

    @Override
    public void retries(String reason) {
        line("no answer (" + reason + "); trying again");
    }

    /** Shows how far something of unknown length is, when it is time for it. */
    public void soFar(Supplier<String> text) {
        if (due()) {
            show(text.get());
        }
    }

    private boolean due() {
        return nanoTime.getAsLong() - shownAt >= everyNanos;
    }

    private void show(String text) {
        shownAt = nanoTime.getAsLong();
        if (terminal) {
            err.print("\r" + text + "\u001b[K");
            err.flush();
            drawn = true;
        } else {
            err.println(text);
        }
    }

    /** A line of its own, below what was drawn. */
    public void line(String text) {
        end();
        err.println(text);
    }

    /** Leaves the terminal on a fresh line. */
    public void end() {
        if (drawn) {
            err.println();
            drawn = false;
        }
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
