/** Clusters' records against a store that loses answers. */
@NullMarked
package dev.shelfmark.tool.cluster;

import org.jspecify.annotations.NullMarked;
