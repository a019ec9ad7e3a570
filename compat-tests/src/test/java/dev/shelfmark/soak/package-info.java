/** The short form of the soak. */
@NullMarked
package dev.shelfmark.soak;

import org.jspecify.annotations.NullMarked;
