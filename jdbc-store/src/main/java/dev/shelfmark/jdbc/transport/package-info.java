/**
 * What lies between pgjdbc and the network: the time zone that a session starts with, and why a TLS handshake failed.
 *
 * pgjdbc makes these classes by name, so they are public; nothing else uses them but {@link dev.shelfmark.jdbc.connection}.
 */
@NullMarked
package dev.shelfmark.jdbc.transport;

import org.jspecify.annotations.NullMarked;
