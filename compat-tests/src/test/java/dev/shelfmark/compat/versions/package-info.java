/** One plugin jar on every supported version of Kafka. Nothing calls in; below lies the plugin with another version's API classes. */
@NullMarked
package dev.shelfmark.compat.versions;

import org.jspecify.annotations.NullMarked;
