/** The items of the table, drawn and encoded: keys, attributes, and the records that they stand for. */
@NullMarked
package dev.shelfmark.dynamodb.items;

import org.jspecify.annotations.NullMarked;
