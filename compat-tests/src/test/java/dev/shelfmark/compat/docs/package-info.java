/** Checks that the documentation is true: links, names of classes, settings, and the words it may not use. */
@NullMarked
package dev.shelfmark.compat.docs;

import org.jspecify.annotations.NullMarked;
