/**
 * The {@code shelfmark} command. One room for each thing a user does, and one for what they share:
 *
 * <pre>
 *   setup     init, upgrade-schema, state            prepare a store, register a cluster
 *   migrate   import, verify, cutover, rollback, export   from Kafka's metadata topic and back
 *   audit     topics, partitions, segments, history, lookup, check, orphans, report   read only
 *      │
 *      ▼
 *   storage   listings of object storage, and how objects are named
 *   kafka     what is asked of a Kafka cluster
 *   config    from a configuration file to an opened store
 *   console   options, tables, progress, exit codes
 * </pre>
 *
 * The command line enters here; each command is a thin class beside what it runs.
 */
@NullMarked
package dev.shelfmark.tool;

import org.jspecify.annotations.NullMarked;
