@NullMarked
package dev.shelfmark.tool.storage.layout;

import org.jspecify.annotations.NullMarked;
