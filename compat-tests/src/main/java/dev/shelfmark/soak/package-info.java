/**
 * The soak: real brokers and a real database under load and faults, and a checker that finds what went wrong. {@code bin/soak --help} says how to run
 * it; a seed gives the same faults at the same times again.
 */
@NullMarked
package dev.shelfmark.soak;

import org.jspecify.annotations.NullMarked;
