package dev.shelfmark.jdbc.transport;

import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Why no TLS connection was made: the message names the cause and the next step. */
public final class TlsFailure extends SSLException {

    private static final long serialVersionUID = 1L;

    TlsFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
