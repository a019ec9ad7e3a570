/** The table: made or checked, its settings, and the rights that each role needs. */
@NullMarked
package dev.shelfmark.dynamodb.schema;

import org.jspecify.annotations.NullMarked;
