/** What an outage of the database does to real brokers and their clients, beside what it does to Kafka's own catalogue. */
@NullMarked
package dev.shelfmark.compat.outages;

import org.jspecify.annotations.NullMarked;
