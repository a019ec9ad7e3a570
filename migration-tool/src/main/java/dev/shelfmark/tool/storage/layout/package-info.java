/**
 * How RemoteStorageManagers name and describe the segments that they keep: which objects make a segment, and what they say of it.
 *
 * <p>A {@link dev.shelfmark.tool.storage.layout.SegmentLayout} is found by {@link java.util.ServiceLoader} and chosen by its name.
 */
@NullMarked
package dev.shelfmark.tool.storage.layout;

import org.jspecify.annotations.NullMarked;
