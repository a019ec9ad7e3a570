/**
 * A DynamoDB for the suite: an endpoint that is given, else Amazon's emulator in Docker, else the {@code dynoxide} emulator from
 * npm. The suite's DynamoDB tests call in; below lie the emulators' processes.
 */
@NullMarked
package dev.shelfmark.compat.dynamodb;

import org.jspecify.annotations.NullMarked;
