/**
 * The DynamoDB store: one table, one item for each record, and a partition's head that serialises its writers.
 *
 * <p>The catalogue calls in through {@link dev.shelfmark.store.CatalogueStore}, operators through
 * {@link dev.shelfmark.store.admin.StoreAdministration}; both are made by {@link dev.shelfmark.dynamodb.DynamoDbStoreProvider}. Below
 * lies the AWS SDK, which only {@code Table}, {@code TableAdmin} and the item codecs touch. {@code ItemKeys} draws the items.
 */
@NullMarked
package dev.shelfmark.dynamodb;

import org.jspecify.annotations.NullMarked;
