package dev.shelfmark.tool.kafka;

import dev.shelfmark.tool.failure.FileErrors;
import dev.shelfmark.tool.failure.ToolFailure;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import javax.security.auth.login.LoginException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;

/** From Kafka's exceptions to one line for an operator. */
final class BrokerErrors {

    private BrokerErrors() {}

    /** What this failure of an action means. */
    static ToolFailure translate(KafkaConnection connection, String action, Throwable failure) {
        Throwable cause = cause(failure);
        String where = " at " + connection.bootstrapServers();
        if (cause instanceof ToolFailure already) {
            return already;
        } else if (cause instanceof SslAuthenticationException) {
            return ToolFailure.kafka(
                    "no TLS connection to the brokers" + where + " while it tried to " + action + ": "
                            + root(cause).getMessage()
                            + "; check the certificates, the name in --bootstrap-server and the ssl. settings in the file of"
                            + " --command-config",
                    cause);
        } else if (cause instanceof AuthenticationException) {
            return ToolFailure.kafka(
                    "the brokers" + where + " refused the login while it tried to " + action
                            + "; check the security settings in the file of --command-config",
                    cause);
        } else if (cause instanceof AuthorizationException) {
            return ToolFailure.kafka(
                    "the brokers" + where + " do not allow this client to " + action + ": " + cause.getMessage()
                            + "; grant the right or use another login",
                    cause);
        } else if (cause instanceof TimeoutException) {
            return ToolFailure.kafka(
                    "no answer from the brokers" + where + " while it tried to " + action
                            + "; check the address, the network and whether the listener wants TLS or SASL (--command-config)",
                    cause);
        }
        return ToolFailure.kafka("the brokers" + where + " could not " + action + ": " + cause.getMessage(), cause);
    }

    /** What it means that a client can't be made, before any broker is asked: its settings are wrong. */
    static ToolFailure untried(KafkaConnection connection, Throwable failure) {
        Throwable cause = cause(failure);
        if (cause instanceof ConfigException && resolvedNothing(cause)) {
            return ToolFailure.kafka(
                    "no host of --bootstrap-server " + connection.bootstrapServers()
                            + " has an address; check the names, and whether this machine can resolve names",
                    cause);
        } else if (cause instanceof LoginException) {
            return ToolFailure.kafka(
                    "no login for the brokers at " + connection.bootstrapServers() + ": " + cause.getMessage()
                            + "; check the sasl. settings in the file of --command-config and what they name",
                    cause);
        }
        String settings = "the Kafka client's settings for the brokers at " + connection.bootstrapServers()
                + " (--command-config) are wrong: ";
        if (quotesLogin(cause)) {
            return ToolFailure.usage(
                    settings + "sasl.jaas.config must be the name of a login module, 'required', pairs of"
                            + " key=\"value\", and a semicolon");
        }
        return ToolFailure.usage(settings + reason(failure, cause), cause);
    }

    /** Whether the message holds a part of {@code sasl.jaas.config}, which may be one of the password: neither it nor its trace is told. */
    private static boolean quotesLogin(Throwable cause) {
        return cause instanceof IllegalArgumentException
                && String.valueOf(cause.getMessage()).endsWith(" in JAAS config");
    }

    /** What could not be done with which file stands one above why. */
    private static String reason(Throwable failure, Throwable cause) {
        String why = cause instanceof IOException trouble ? FileErrors.reason(trouble) : cause.getMessage();
        for (Throwable above = failure; above != cause && above != null; above = above.getCause()) {
            if (above.getCause() == cause && String.valueOf(above.getMessage()).startsWith("Failed to load")) {
                return above.getMessage() + ": " + why;
            }
        }
        return String.valueOf(why);
    }

    /** Kafka's client takes unknown names for a wrong setting; the name service may be out of order. */
    private static boolean resolvedNothing(Throwable failure) {
        return String.valueOf(failure.getMessage()).startsWith("No resolvable bootstrap urls");
    }

    /** Java's own words for what is wrong with a certificate. */
    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private static Throwable cause(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null
                && (cause instanceof ExecutionException
                        || cause instanceof CompletionException
                        || cause.getClass() == KafkaException.class)) {
            cause = cause.getCause();
        }
        return cause;
    }
}
