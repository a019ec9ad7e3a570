/**
 * The cluster's record as this broker sees it: polled in the background, and the gate that keeps the plugin closed until it says ready.
 *
 * The plugin and the bridge call in; below lies the store SPI.
 */
@NullMarked
package dev.shelfmark.plugin.cluster;

import org.jspecify.annotations.NullMarked;
