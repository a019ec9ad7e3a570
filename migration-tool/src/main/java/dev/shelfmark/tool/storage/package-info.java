/** The object storage as the command sees it: listings of a bucket or a file, and how a storage plugin names its objects. Shared by audit and mend. */
@NullMarked
package dev.shelfmark.tool.storage;

import org.jspecify.annotations.NullMarked;
