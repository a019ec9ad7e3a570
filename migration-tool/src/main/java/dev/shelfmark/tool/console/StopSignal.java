package dev.shelfmark.tool.console;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Ctrl-C and SIGTERM: tells the command to finish what it holds, and keeps the process for as long as that may take. */
public final class StopSignal implements BooleanSupplier {

    private static final long PATIENCE_SECONDS = 30;

    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean stopped;

    public StopSignal() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "shelfmark-stop"));
    }

    private void stop() {
        stopped = true;
        if (ended.getCount() > 0) {
            System.err.println(
                    "stopping: what is under way is brought to an end, which takes " + PATIENCE_SECONDS + " s at most");
        }
        try {
            if (!ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println(
                        "shelfmark: error: told to stop, but what was under way did not end within " + PATIENCE_SECONDS
                                + " s: cut short; look at 'shelfmark state', and run the same command again");
                // Whatever it was doing, the next run goes on from its last checkpoint.
                Runtime.getRuntime().halt(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The command is through. */
    public void ended() {
        ended.countDown();
    }

    @Override
    public boolean getAsBoolean() {
        return stopped;
    }
}
