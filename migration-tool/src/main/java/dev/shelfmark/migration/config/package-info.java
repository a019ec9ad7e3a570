/**
 * From a configuration file to an opened store: the same keys as the plugin's, so that a broker's own file serves.
 *
 * <p>Commands call in through {@link dev.shelfmark.migration.config.Target}; below lie the back ends, found as the plugin finds them.
 */
@NullMarked
package dev.shelfmark.migration.config;

import org.jspecify.annotations.NullMarked;
