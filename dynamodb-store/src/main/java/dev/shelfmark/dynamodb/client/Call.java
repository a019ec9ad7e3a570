package dev.shelfmark.dynamodb.client;

import dev.shelfmark.retry.Deadline;

/**
 * A request and what its failures mean.
 *
 * @param operation for the listener, from a small fixed set
 * @param about what it is about, for messages, such as {@code commit of partition ...}
 * @param changes whether it may change something, so that losing its answer leaves the outcome unknown
 * @param deadline when it must have ended with all its repeats
 */
public record Call(String operation, String about, boolean changes, Deadline deadline) {

    public static Call reading(String operation, String about, Deadline deadline) {
        return new Call(operation, about, false, deadline);
    }

    public static Call changing(String operation, String about, Deadline deadline) {
        return new Call(operation, about, true, deadline);
    }
}
