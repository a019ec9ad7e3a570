package dev.shelfmark.migration.brokers;

import dev.shelfmark.migration.outcome.ToolFailure;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TimeoutException;

/** From Kafka's exceptions to one line for an operator. */
final class KafkaErrors {

    private KafkaErrors() {}

    /** What this failure of an action means. */
    static ToolFailure translate(KafkaConnection connection, String action, Throwable failure) {
        Throwable cause = cause(failure);
        String where = " at " + connection.bootstrapServers();
        if (cause instanceof ToolFailure already) {
            return already;
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
        } else if (cause instanceof ConfigException && resolvedNothing(cause)) {
            return ToolFailure.kafka(
                    "no host of --bootstrap-server " + connection.bootstrapServers()
                            + " has an address; check the names, and whether this machine can resolve names",
                    cause);
        } else if (cause instanceof ConfigException) {
            return ToolFailure.usage(
                    "the Kafka client's settings for the brokers" + where + " are wrong: " + cause.getMessage(), cause);
        }
        return ToolFailure.kafka("the brokers" + where + " could not " + action + ": " + cause.getMessage(), cause);
    }

    /** Kafka's client takes unknown names for a wrong setting; the name service may be out of order. */
    private static boolean resolvedNothing(Throwable failure) {
        return String.valueOf(failure.getMessage()).startsWith("No resolvable bootstrap urls");
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
