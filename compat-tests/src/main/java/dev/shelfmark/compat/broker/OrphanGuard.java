package dev.shelfmark.compat.broker;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * The main class of a broker's process: runs Kafka's, and ends the process when whoever started it is gone, however it went.
 * Standard input is a pipe from the parent that nobody writes to: its end is the parent's. Needs nothing but the JDK.
 */
public final class OrphanGuard {

    private static final int KILLED = 137;

    private OrphanGuard() {}

    /** The first argument names the class whose main method is called with the others. */
    public static void main(String[] args) throws ReflectiveOperationException {
        Thread guard = new Thread(OrphanGuard::haltAtEndOfInput, "orphan-guard");
        guard.setDaemon(true);
        guard.start();
        Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object)
                Arrays.copyOfRange(args, 1, args.length));
    }

    private static void haltAtEndOfInput() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            System.err.println("the pipe from the parent process broke: " + e);
        }
        Runtime.getRuntime().halt(KILLED);
    }
}
