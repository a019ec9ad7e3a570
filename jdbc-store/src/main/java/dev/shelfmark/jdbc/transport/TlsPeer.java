package dev.shelfmark.jdbc.transport;

import java.io.IOException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.postgresql.ssl.PGjdbcHostnameVerifier;

/**
 * The server that a TLS connection is made to, and what is wrong with its certificate.
 *
 * @param host the server's name in {@code jdbc.url}
 * @param rootCertificate the URL's {@code sslrootcert}, if it has one
 * @param verifiesName whether the certificate must be for {@code host}
 */
record TlsPeer(String host, @Nullable String rootCertificate, boolean verifiesName) {

    /** The DNS names and addresses of a certificate, by their types. */
    private static final List<Integer> NAMES = List.of(2, 7);

    /** Refuses a certificate that is for somebody else. */
    void verify(SSLSession session) throws IOException {
        if (verifiesName && !PGjdbcHostnameVerifier.INSTANCE.verify(host, session)) {
            throw new TlsFailure(
                    "the server's certificate is for " + String.join(", ", names(session.getPeerCertificates()[0]))
                            + ", jdbc.url says " + host + ": use a name that the certificate has, or issue one for "
                            + host,
                    null);
        }
    }

    private static List<String> names(Certificate certificate) {
        List<String> names = new ArrayList<>();
        if (certificate instanceof X509Certificate x509) {
            try {
                if (x509.getSubjectAlternativeNames() != null) {
                    for (List<?> name : x509.getSubjectAlternativeNames()) {
                        if (NAMES.contains(name.get(0))) {
                            names.add(String.valueOf(name.get(1)));
                        }
                    }
                }
            } catch (CertificateParsingException e) {
                // Then by its subject.
            }
            if (names.isEmpty()) {
                names.add(x509.getSubjectX500Principal().getName());
            }
        }
        return names;
    }

    /** A handshake's failure in the words of its cause. */
    TlsFailure explain(IOException failure) {
        for (Throwable at = failure; at != null && at.getCause() != at; at = at.getCause()) {
            if (at instanceof CertPathValidatorException invalid) {
                return new TlsFailure(invalid(invalid), failure);
            } else if (at instanceof CertPathBuilderException) {
                return new TlsFailure(unknownAuthority(), failure);
            }
        }
        String message = String.valueOf(failure.getMessage());
        return new TlsFailure(
                message.contains("fatal alert")
                        ? "the server refused the TLS handshake (" + message
                                + "): check sslcert and sslkey in jdbc.url, and the server's ssl_ca_file and log"
                        : "the TLS handshake failed: " + message,
                failure);
    }

    private String invalid(CertPathValidatorException failure) {
        X509Certificate certificate = failure.getCertPath() != null
                        && failure.getIndex() >= 0
                        && failure.getCertPath().getCertificates().get(failure.getIndex()) instanceof X509Certificate at
                ? at
                : null;
        String which =
                failure.getIndex() > 0 ? "an intermediate certificate of the server" : "the server's certificate";
        if (failure.getReason() == BasicReason.EXPIRED) {
            return which + " expired" + (certificate == null ? "" : " on " + day(certificate.getNotAfter()))
                    + ": renew it on the server, then reload PostgreSQL";
        } else if (failure.getReason() == BasicReason.NOT_YET_VALID) {
            return which + " is not valid "
                    + (certificate == null ? "yet" : "before " + day(certificate.getNotBefore()))
                    + ": check the clocks, or issue another one";
        } else if (failure.getReason() == BasicReason.REVOKED) {
            return which + " was revoked: issue another one";
        }
        return unknownAuthority();
    }

    private String unknownAuthority() {
        return "the server's certificate is not signed by sslrootcert="
                + (rootCertificate == null ? "~/.postgresql/root.crt" : rootCertificate)
                + ": let sslrootcert in jdbc.url name the certificate of the authority that signed it";
    }

    private static LocalDate day(Date date) {
        return LocalDate.ofInstant(date.toInstant(), ZoneOffset.UTC);
    }
}
