/**
 * The cluster's record and the brokers' heartbeats.
 *
 * The store and its administration call in; below lies {@code connection}.
 */
@NullMarked
package dev.shelfmark.jdbc.cluster;

import org.jspecify.annotations.NullMarked;
