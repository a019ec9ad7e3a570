package dev.shelfmark.jdbc.transport;

import java.io.IOException;
import java.net.Socket;
import java.util.Properties;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.postgresql.jdbc.SslMode;
import org.postgresql.ssl.LibPQFactory;
import org.postgresql.util.PSQLException;

/** pgjdbc's {@code sslfactory}: its own, whose failures name their cause, and over whose sockets sessions start in UTC. */
public final class TlsSocketFactory extends LibPQFactory {

    private final @Nullable String rootCertificate;
    private final boolean verifiesName;

    /**
     * Made by pgjdbc.
     *
     * @throws PSQLException when a file that the URL names cannot be used; caused by a {@link TlsFailure} where that is the authority's certificate
     */
    public TlsSocketFactory(Properties info) throws PSQLException {
        super(RootCertificate.checked(info));
        rootCertificate = PGProperty.SSL_ROOT_CERT.getOrDefault(info);
        // A verifier that the URL names is asked by pgjdbc.
        verifiesName = SslMode.of(info).verifyPeerName() && PGProperty.SSL_HOSTNAME_VERIFIER.getOrDefault(info) == null;
    }

    @Override
    public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
        SSLSocket tls = (SSLSocket) super.createSocket(socket, host, port, autoClose);
        return new TlsSocket(tls, new TlsPeer(host, rootCertificate, verifiesName));
    }
}
