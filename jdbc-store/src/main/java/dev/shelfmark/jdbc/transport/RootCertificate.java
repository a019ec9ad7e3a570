package dev.shelfmark.jdbc.transport;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.postgresql.jdbc.SslMode;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/** The file with the certificates of the authorities that a server's certificate must be signed by. */
final class RootCertificate {

    private RootCertificate() {}

    /**
     * Passes the properties on.
     *
     * @throws PSQLException when the server's certificate is to be verified and there is nothing to verify it by
     */
    static Properties checked(Properties info) throws PSQLException {
        SslMode mode = SslMode.of(info);
        if (mode.verifyCertificate()) {
            String why = unusable(PGProperty.SSL_ROOT_CERT.getOrDefault(info), mode);
            if (why != null) {
                throw new PSQLException(why, PSQLState.CONNECTION_FAILURE, new TlsFailure(why, null));
            }
        }
        return info;
    }

    private static @Nullable String unusable(@Nullable String given, SslMode mode) {
        Path file = given == null
                ? Path.of(System.getProperty("user.home", ""), ".postgresql", "root.crt")
                : Path.of(given);
        if (!Files.isReadable(file)) {
            return given == null
                    ? "no sslrootcert: sslmode=" + mode.value
                            + " needs the certificate of the authority that signed the"
                            + " server's: add sslrootcert=/path/ca.pem to jdbc.url (the default " + file
                            + " cannot be read)"
                    : "cannot read sslrootcert=" + given + ": check the path in jdbc.url and the file's permissions";
        }
        try (InputStream in = Files.newInputStream(file)) {
            if (CertificateFactory.getInstance("X.509").generateCertificates(in).isEmpty()) {
                return "sslrootcert=" + file
                        + " holds no certificate: it must be a PEM file with the authority's certificate";
            }
            return null;
        } catch (IOException | CertificateException e) {
            return "sslrootcert=" + file
                    + " holds no certificate: it must be a PEM file with the authority's certificate";
        }
    }
}
