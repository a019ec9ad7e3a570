package dev.shelfmark.jdbc.credentials;

import java.sql.SQLException;

/**
 * Gives each new connection its login, such as a token that is valid for 15 minutes. Named by {@code jdbc.credentials.provider.class}; the class
 * is public, has a public constructor without parameters, and lies in the plugin's directory.
 *
 * <p>Called from several threads at once, and for each new connection: keep a token that is still valid rather than fetch another one, and do
 * not wait longer than {@code jdbc.login.timeout.ms}.
 */
@FunctionalInterface
public interface CredentialsProvider {

    /**
     * Called once, before any login is asked for. Does nothing unless overridden.
     *
     * @param text the value of {@code jdbc.credentials.provider.config}, or an empty text
     * @throws IllegalArgumentException when the text makes no sense; its message must not quote secrets
     */
    default void configure(String text) {}

    /**
     * The login for one new connection to {@code address}.
     *
     * @throws SQLException or any other exception when there is none now; the connection then fails as unavailable, and the next one asks
     *     again. The message is logged: it must hold no secret
     */
    Login login(Address address) throws Exception;

    /**
     * Where the connection goes, as {@code jdbc.url} says. Of several hosts the first.
     *
     * @param host name or address
     * @param port TCP port
     * @param database the database's name
     * @param user {@code jdbc.user}, or the operating system's user
     */
    record Address(String host, int port, String database, String user) {}
}
