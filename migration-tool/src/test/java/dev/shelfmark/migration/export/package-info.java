@NullMarked
package dev.shelfmark.migration.export;

import org.jspecify.annotations.NullMarked;
