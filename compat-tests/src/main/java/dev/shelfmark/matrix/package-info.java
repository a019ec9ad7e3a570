/** The broker matrix: what operators do with a cluster, with one build of the plugin, on each supported release of Kafka. */
@org.jspecify.annotations.NullMarked
package dev.shelfmark.matrix;
