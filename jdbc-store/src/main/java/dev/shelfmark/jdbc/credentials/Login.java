package dev.shelfmark.jdbc.credentials;

import org.jspecify.annotations.Nullable;

/**
 * Whom a connection logs in as.
 *
 * @param user the role; null for {@code jdbc.user}
 * @param password its password or token; null for none, as with a client certificate
 */
public record Login(@Nullable String user, @Nullable String password) {

    /** Without the password. */
    @Override
    public String toString() {
        return "Login[user=" + user + (password == null ? ", no password]" : ", password=[hidden]]");
    }
}
