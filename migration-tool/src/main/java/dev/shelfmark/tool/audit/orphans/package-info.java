/** Compares the catalogue with a listing of the object storage: objects without a segment, segments without an object; deletes orphaned objects on request. */
@NullMarked
package dev.shelfmark.tool.audit.orphans;

import org.jspecify.annotations.NullMarked;
