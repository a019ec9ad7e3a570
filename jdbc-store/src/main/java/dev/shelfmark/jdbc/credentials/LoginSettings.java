package dev.shelfmark.jdbc.credentials;

import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/**
 * Who logs in, and where the password comes from.
 *
 * @param user the role, or null for the operating system's user
 * @param password a fixed password, which wins over the other sources
 * @param passwordFile a file that is read for each new connection
 * @param providerClass the name of a {@link CredentialsProvider}
 * @param providerConfig a text for it
 */
public record LoginSettings(
        @Nullable String user,
        @Nullable Password password,
        @Nullable String passwordFile,
        @Nullable String providerClass,
        @Nullable Password providerConfig) {

    public static final String USER = "jdbc.user";
    private static final String USER_DOC =
            "The role to connect as. For brokers: one with a broker's rights, not the owner.";

    public static final String PASSWORD = "jdbc.password";
    private static final String PASSWORD_DOC =
            "Its password, if it has one, read once at start-up. Wins over jdbc.password.file and jdbc.credentials.provider.class.";

    public static final String PASSWORD_FILE = "jdbc.password.file";
    private static final String PASSWORD_FILE_DOC =
            "A file whose first line is the password. It is read for each new connection, so a rotated password needs no restart;"
                    + " connections that are open stay open.";

    public static final String PROVIDER_CLASS = "jdbc.credentials.provider.class";
    private static final String PROVIDER_CLASS_DOC =
            "A class that gives each new connection its login, for short-lived tokens. It implements"
                    + " dev.shelfmark.jdbc.credentials.CredentialsProvider, and its jar lies in the plugin's directory.";

    public static final String PROVIDER_CONFIG = "jdbc.credentials.provider.config";
    private static final String PROVIDER_CONFIG_DOC =
            "A text that jdbc.credentials.provider.class is given when it is made. What it means is up to the class.";

    /** Adds the settings to a store's. */
    public static ConfigDef define(ConfigDef settings) {
        return settings.define(USER, ConfigDef.Type.STRING, null, Importance.HIGH, USER_DOC)
                .define(PASSWORD, ConfigDef.Type.PASSWORD, null, Importance.HIGH, PASSWORD_DOC)
                .define(PASSWORD_FILE, ConfigDef.Type.STRING, null, Importance.HIGH, PASSWORD_FILE_DOC)
                .define(PROVIDER_CLASS, ConfigDef.Type.STRING, null, Importance.LOW, PROVIDER_CLASS_DOC)
                .define(PROVIDER_CONFIG, ConfigDef.Type.PASSWORD, null, Importance.LOW, PROVIDER_CONFIG_DOC);
    }

    /**
     * From parsed values.
     *
     * @throws ConfigException when both a file and a class are to give the password
     */
    public static LoginSettings of(Map<String, Object> values) {
        LoginSettings settings = new LoginSettings(
                (String) values.get(USER),
                (Password) values.get(PASSWORD),
                (String) values.get(PASSWORD_FILE),
                (String) values.get(PROVIDER_CLASS),
                (Password) values.get(PROVIDER_CONFIG));
        if (settings.passwordFile != null && settings.providerClass != null) {
            throw new ConfigException("set " + PASSWORD_FILE + " or " + PROVIDER_CLASS + ", not both");
        }
        return settings;
    }

    /**
     * Where logins come from.
     *
     * @throws ConfigException when the class that is named cannot be used
     */
    public CredentialsProvider provider() {
        if (password != null) {
            Login fixed = new Login(user, password.value());
            return address -> fixed;
        } else if (passwordFile != null) {
            return new PasswordFile(passwordFile);
        } else if (providerClass != null) {
            return named(providerClass, providerConfig == null ? "" : providerConfig.value());
        }
        Login without = new Login(user, null);
        return address -> without;
    }

    private static CredentialsProvider named(String name, String config) {
        try {
            // By the plugin's class loader, whatever the calling thread's is.
            ClassLoader loader = Objects.requireNonNull(LoginSettings.class.getClassLoader());
            CredentialsProvider provider = Class.forName(name, true, loader)
                    .asSubclass(CredentialsProvider.class)
                    .getConstructor()
                    .newInstance();
            provider.configure(config);
            return provider;
        } catch (ClassNotFoundException e) {
            throw refused(name, "there is no such class in the plugin's directory", e);
        } catch (ClassCastException e) {
            throw refused(name, "it does not implement " + CredentialsProvider.class.getName(), e);
        } catch (ReflectiveOperationException | LinkageError e) {
            throw refused(
                    name, "it cannot be made: it must be public, with a public constructor without parameters", e);
        } catch (IllegalArgumentException e) {
            throw refused(name, PROVIDER_CONFIG + " is refused: " + e.getMessage(), e);
        }
    }

    private static ConfigException refused(String name, String why, Throwable cause) {
        ConfigException refused = new ConfigException(PROVIDER_CLASS, name, why);
        refused.initCause(cause);
        return refused;
    }
}
