package dev.shelfmark.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Certificates for tests, made with the JDK's own keytool: {@code NAME.pem}/{@code .crt}, {@code .key} (PEM) and {@code .pk8} (DER). */
final class TestCertificates {

    private static final String PASSWORD = "changeit";

    private final Path directory;

    TestCertificates(Path directory) {
        this.directory = directory;
    }

    /** An authority; its certificate is {@code NAME.pem}. */
    void authority(String name) throws Exception {
        pair(name, name, "-1d", 30, "bc:c");
        keytool("-exportcert", "-rfc", "-alias", name, "-keystore", name + ".p12", "-file", name + ".pem");
    }

    /** A certificate for a host or a login, signed by the authority {@code ca}. */
    void signed(String name, String commonName, String start, int days) throws Exception {
        pair(name, commonName, start, days, "san=dns:" + commonName);
        keytool("-certreq", "-alias", name, "-keystore", name + ".p12", "-file", name + ".csr");
        keytool(
                "-gencert",
                "-rfc",
                "-alias",
                "ca",
                "-keystore",
                "ca.p12",
                "-infile",
                name + ".csr",
                "-outfile",
                name + ".crt",
                "-startdate",
                start,
                "-validity",
                Integer.toString(days),
                "-ext",
                "san=dns:" + commonName);
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(directory.resolve(name + ".p12"))) {
            store.load(in, PASSWORD.toCharArray());
        }
        byte[] key = store.getKey(name, PASSWORD.toCharArray()).getEncoded();
        Path der = Files.write(directory.resolve(name + ".pk8"), key);
        Files.setPosixFilePermissions(der, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(
                directory.resolve(name + ".key"),
                "-----BEGIN PRIVATE KEY-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key)
                        + "\n-----END PRIVATE KEY-----\n");
    }

    private void pair(String name, String commonName, String start, int days, String extension) throws Exception {
        keytool(
                "-genkeypair",
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-alias",
                name,
                "-dname",
                "CN=" + commonName,
                "-startdate",
                start,
                "-validity",
                Integer.toString(days),
                "-ext",
                extension,
                "-keystore",
                name + ".p12");
    }

    private void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
    }
}
