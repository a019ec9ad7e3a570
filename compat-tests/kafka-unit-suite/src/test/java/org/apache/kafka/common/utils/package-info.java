/**
 * A place that Kafka's older tests still look into. They call in; nothing lies below.
 */
@NullMarked
package org.apache.kafka.common.utils;

import org.jspecify.annotations.NullMarked;
