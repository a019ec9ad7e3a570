/** Tests with real brokers, tagged {@code broker}. Below them lie {@code dev.shelfmark.compat.broker} and a real database. */
@NullMarked
package dev.shelfmark.compat.broker;

import org.jspecify.annotations.NullMarked;
