/** How a new connection gets its login: from the settings, from a file, or from a class of the operator's. */
@NullMarked
package dev.shelfmark.jdbc.credentials;

import org.jspecify.annotations.NullMarked;
