/** Answers a lookup as a broker does, and says why. */
@NullMarked
package dev.shelfmark.tool.audit.lookup;

import org.jspecify.annotations.NullMarked;
