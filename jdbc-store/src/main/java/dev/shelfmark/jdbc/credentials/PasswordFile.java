package dev.shelfmark.jdbc.credentials;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A password that is read anew each time. */
record PasswordFile(String file) implements CredentialsProvider {

    @Override
    public Login login(Address address) throws IOException {
        String password;
        try {
            password = Files.readString(Path.of(file), StandardCharsets.UTF_8)
                    .lines()
                    .findFirst()
                    .orElse("");
        } catch (NoSuchFileException e) {
            throw new IOException(named() + " does not exist", e);
        } catch (IOException | IllegalArgumentException e) {
            // Neither names what the file holds.
            throw new IOException("cannot read " + named() + ": " + e, e);
        }
        if (password.isEmpty()) {
            throw new IOException("the first line of " + named() + " is empty");
        }
        return new Login(null, password);
    }

    private String named() {
        return LoginSettings.PASSWORD_FILE + "=" + file;
    }
}
