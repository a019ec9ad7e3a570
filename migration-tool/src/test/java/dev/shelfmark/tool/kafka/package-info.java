/** Tests of the package of the same name. */
@NullMarked
package dev.shelfmark.tool.kafka;

import org.jspecify.annotations.NullMarked;
