/**
 * The front door: the class that a broker names in {@code remote.log.metadata.manager.class.name}.
 *
 * <p>Kafka calls in; {@code dev.shelfmark.plugin} has the parts that it is assembled from, {@code dev.shelfmark.catalogue} the rules,
 * {@code dev.shelfmark.store} the way to a database.
 */
@NullMarked
package dev.shelfmark;

import org.jspecify.annotations.NullMarked;
