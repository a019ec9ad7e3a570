package dev.shelfmark.compat.broker;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A key and its own certificate for this machine's brokers, in a file of its own.
 *
 * @param file of type PKCS12
 * @param password of the file and of the key in it
 */
public record Keystore(Path file, String password) {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    /** Makes one; who has the file may use it to trust the certificate, too. */
    public static Keystore create(Path file, String password) {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "broker",
                "-keyalg",
                "RSA",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                password,
                "-dname",
                "CN=broker",
                "-ext",
                "san=ip:127.0.0.1");
        Path output = file.resolveSibling(file.getFileName() + ".log");
        if (ChildProcess.start("keytool", command, output, false).awaitExit(LIMIT) != 0) {
            throw new IllegalStateException("keytool failed:\n" + ChildProcess.tail(output, 20));
        }
        return new Keystore(file, password);
    }
}
