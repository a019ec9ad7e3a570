package dev.shelfmark.tool.config;

import dev.shelfmark.tool.failure.FileErrors;
import dev.shelfmark.tool.failure.ToolFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who the command is at the store, where that differs from the configuration file: an operator uses the owner's login and the
 * brokers' file. A password never comes from the command line, where every user of the machine could read it.
 */
public final class Credentials {

    /** The environment variable that holds the store's password. */
    public static final String PASSWORD_VARIABLE = "SHELFMARK_PASSWORD";

    private final @Nullable String user;
    private final @Nullable String password;

    private Credentials(@Nullable String user, @Nullable String password) {
        this.user = user;
        this.password = password;
    }

    /** From the options and the environment; the file wins over the variable. */
    public static Credentials of(@Nullable String user, @Nullable Path passwordFile, Map<String, String> environment) {
        return new Credentials(user, passwordFile == null ? variable(environment) : firstLine(passwordFile));
    }

    /** A variable that is set to nothing is how shells pass on one that is not set. */
    private static @Nullable String variable(Map<String, String> environment) {
        String password = environment.getOrDefault(PASSWORD_VARIABLE, "");
        return password.isEmpty() ? null : password;
    }

    private static String firstLine(Path file) {
        try {
            String password = Files.readString(file, StandardCharsets.UTF_8)
                    .lines()
                    .findFirst()
                    .orElse("");
            if (password.isBlank()) {
                throw ToolFailure.usage("there is no password in " + file + ": its first line is empty");
            }
            return password;
        } catch (IOException e) {
            throw ToolFailure.usage("the password file " + file + " can't be read: " + FileErrors.reason(e), e);
        }
    }

    Optional<String> user() {
        return Optional.ofNullable(user);
    }

    Optional<String> password() {
        return Optional.ofNullable(password);
    }
}
