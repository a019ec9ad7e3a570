/**
 * How the store reaches DynamoDB: settings, credentials, clients, retries, and the one place where an SDK failure becomes a store failure.
 *
 * Every other package of this module calls in.
 */
@NullMarked
package dev.shelfmark.dynamodb.client;

import org.jspecify.annotations.NullMarked;
