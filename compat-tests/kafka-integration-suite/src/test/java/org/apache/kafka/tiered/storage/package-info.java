/**
 * Where Kafka's tests of tiered storage can be reached: what they are made of is visible in their own package only. JUnit calls in; below lie Kafka's
 * tests, and brokers with the plugin.
 */
@NullMarked
package org.apache.kafka.tiered.storage;

import org.jspecify.annotations.NullMarked;
