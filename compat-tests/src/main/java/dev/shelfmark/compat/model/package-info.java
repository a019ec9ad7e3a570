/**
 * The model check: random sequences of a broker's reports, after each of which the plugin's answers are compared with those of Kafka's own cache
 * and of a plain implementation of our rules.
 *
 * <p>{@link dev.shelfmark.compat.ModelContract} calls in; below lie the plugin on top of any store, and Kafka's classes.
 */
@NullMarked
package dev.shelfmark.compat.model;

import org.jspecify.annotations.NullMarked;
