package dev.shelfmark.compat;

import java.time.Duration;

/**
 * What can go wrong between a store and its server. A fault lasts until {@link #heal}, except those of a single request, which
 * happen once. A "request" is what a client sends before it waits for an answer.
 */
public interface Faults extends AutoCloseable {

    /** Connections are cut and new ones refused, as if the server were down. */
    void refuse();

    /** Connections are cut; new ones work. */
    void cut();

    /**
     * A request to come does not reach the server: its connection is cut instead.
     *
     * @param requests which one, from 1 for the next
     */
    void cutBeforeRequest(int requests);

    /**
     * A request to come reaches the server, but its answer does not come back: the connection is cut instead.
     *
     * @param requests which one, from 1 for the next
     */
    void swallowAnswer(int requests);

    /** Whether the last fault of a single request has happened. */
    boolean happened();

    /** Every request takes so much longer. */
    void delay(Duration delay);

    /** Connections are accepted and nothing passes, in either direction; what was sent is delivered late, after {@link #heal}. */
    void blackHole();

    /** All is well again. Connections that were cut stay cut. */
    void heal();

    /** Ends for good. */
    @Override
    void close();
}
