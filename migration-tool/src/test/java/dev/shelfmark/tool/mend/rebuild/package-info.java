@NullMarked
package dev.shelfmark.tool.mend.rebuild;

import org.jspecify.annotations.NullMarked;
