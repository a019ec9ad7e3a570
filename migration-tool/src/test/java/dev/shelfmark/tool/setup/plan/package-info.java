@NullMarked
package dev.shelfmark.tool.setup.plan;

import org.jspecify.annotations.NullMarked;
