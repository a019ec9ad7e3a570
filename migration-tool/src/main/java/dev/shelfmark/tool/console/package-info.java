/**
 * What all commands share on a terminal: options, tables, progress, exit codes, and failures in one clear line.
 *
 * Every package of the tool may call in; nothing of a store's or Kafka's data lies below.
 */
@NullMarked
package dev.shelfmark.tool.console;

import org.jspecify.annotations.NullMarked;
