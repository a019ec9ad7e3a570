/** Which package may know which, held by a test. */
@NullMarked
package dev.shelfmark.architecture;

import org.jspecify.annotations.NullMarked;
