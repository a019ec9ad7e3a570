/** From a configuration file to an opened store: the same keys as the plugin's, so that a broker's own file serves. */
@NullMarked
package dev.shelfmark.tool.config;

import org.jspecify.annotations.NullMarked;
