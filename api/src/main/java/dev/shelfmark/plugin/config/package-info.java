/**
 * The plugin's settings and the threads it may start.
 *
 * Read by every other part of the plugin; depends on the store SPI alone.
 */
@NullMarked
package dev.shelfmark.plugin.config;

import org.jspecify.annotations.NullMarked;
