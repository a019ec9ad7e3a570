/** The cluster's record and the brokers' heartbeats. */
@NullMarked
package dev.shelfmark.dynamodb.cluster;

import org.jspecify.annotations.NullMarked;
