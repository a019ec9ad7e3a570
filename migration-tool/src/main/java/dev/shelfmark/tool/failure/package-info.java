/**
 * How a command fails: its exit codes and the failures that carry them. Every other package of the tool may use it; it uses none of them.
 */
@NullMarked
package dev.shelfmark.tool.failure;

import org.jspecify.annotations.NullMarked;
