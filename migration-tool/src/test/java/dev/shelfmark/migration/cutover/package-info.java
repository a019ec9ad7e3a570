@NullMarked
package dev.shelfmark.migration.cutover;

import org.jspecify.annotations.NullMarked;
