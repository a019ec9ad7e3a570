/** Why a lookup is answered as it is. */
@NullMarked
package dev.shelfmark.audit.lookup;

import org.jspecify.annotations.NullMarked;
