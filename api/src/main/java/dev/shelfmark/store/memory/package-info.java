/** The reference store: the SPI in plain Java collections, for tests and as its specification in code. Keeps nothing when the process ends. */
@NullMarked
package dev.shelfmark.store.memory;

import org.jspecify.annotations.NullMarked;
