/**
 * Real Kafka brokers as processes of their own, for tests and the quickstart.
 *
 * <p>{@link dev.shelfmark.compat.broker.TestCluster} is the way in: it starts brokers from Kafka's published jars, kills, pauses and
 * restarts them, and removes every trace when it is closed. {@link dev.shelfmark.compat.broker.Ledger} writes records and proves
 * that each can be read back. Nothing here runs inside a broker but {@link dev.shelfmark.compat.broker.OrphanGuard}.
 */
@NullMarked
package dev.shelfmark.compat.broker;

import org.jspecify.annotations.NullMarked;
