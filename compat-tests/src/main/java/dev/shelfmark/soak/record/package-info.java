/**
 * A store that writes down every commit and read of another one, for the soak's checker. A broker loads this package beside its plugin directory: it
 * needs nothing but the SPI.
 */
@NullMarked
package dev.shelfmark.soak.record;

import org.jspecify.annotations.NullMarked;
