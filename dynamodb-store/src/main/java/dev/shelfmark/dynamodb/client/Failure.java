package dev.shelfmark.dynamodb.client;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkInterruptedException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ItemCollectionSizeLimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.LimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

/**
 * What a failed attempt means; the only place that knows DynamoDB's error codes. Never judged by a message's text.
 *
 * @param kind what to do about it
 * @param code DynamoDB's code, or the kind of failure on our side
 */
record Failure(Kind kind, String code) {

    enum Kind {
        /** Nothing was applied: throttled, or in conflict with another transaction. */
        BUSY(true),
        /** It never reached DynamoDB. */
        NOT_SENT(true),
        /** The answer is lost, or it was an error on the other side: it may be applied. */
        UNCLEAR(true),
        /** Our clock or DynamoDB's view of it is off; the SDK corrects itself by the answer. */
        CLOCK(true),
        /** A right is missing, or the credentials are not good. */
        DENIED(false),
        /** There is no such table. */
        NO_TABLE(false),
        /** DynamoDB will never take this request. */
        INVALID(false),
        /** The thread was interrupted while it waited for the answer. */
        INTERRUPTED(false);

        private final boolean worthRepeating;

        Kind(boolean worthRepeating) {
            this.worthRepeating = worthRepeating;
        }
    }

    private static final Set<String> DENIALS = Set.of(
            "AccessDenied",
            "AccessDeniedException",
            "ExpiredToken",
            "ExpiredTokenException",
            "IncompleteSignature",
            "IncompleteSignatureException",
            "InvalidClientTokenId",
            "InvalidIdentityToken",
            "InvalidSignatureException",
            "KMSAccessDeniedException",
            "KMSDisabledException",
            "KMSInvalidStateException",
            "KMSNotFoundException",
            "MissingAuthenticationToken",
            "MissingAuthenticationTokenException",
            "NotAuthorized",
            "OptInRequired",
            "SignatureDoesNotMatch",
            "UnrecognizedClientException");

    private static final Set<String> NEVER_TAKEN = Set.of("ItemCollectionSizeLimitExceeded", "ValidationError");

    static final String INTERRUPTED_CODE = "Interrupted";

    boolean worthRepeating() {
        return kind.worthRepeating;
    }

    static Failure of(Throwable thrown) {
        CredentialsException credentials = find(thrown, CredentialsException.class);
        if (credentials != null) {
            return ofCredentials(credentials);
        }
        if (thrown instanceof AwsServiceException refused) {
            return ofService(refused, code(refused));
        }
        if (find(thrown, AbortedException.class) != null
                || find(thrown, SdkInterruptedException.class) != null
                || find(thrown, InterruptedException.class) != null) {
            return new Failure(Kind.INTERRUPTED, INTERRUPTED_CODE);
        }
        for (Class<? extends Throwable> before : List.of(
                ConnectException.class,
                ConnectTimeoutException.class,
                ConnectionRequestTimeoutException.class,
                NoRouteToHostException.class,
                UnknownHostException.class,
                SSLHandshakeException.class)) {
            if (find(thrown, before) != null) {
                return new Failure(Kind.NOT_SENT, before.getSimpleName());
            }
        }
        return new Failure(Kind.UNCLEAR, root(thrown).getClass().getSimpleName());
    }

    private static Failure ofService(AwsServiceException refused, String code) {
        if (refused instanceof TransactionCanceledException cancelled) {
            return ofCancelled(cancelled);
        }
        if (refused.isClockSkewException()) {
            return new Failure(Kind.CLOCK, code);
        }
        if (refused instanceof TransactionInProgressException) {
            // The SDK counts it as throttling, but it tells of a request of ours that is still on its way.
            return new Failure(Kind.UNCLEAR, code);
        }
        if (refused.isThrottlingException()
                || refused instanceof TransactionConflictException
                || refused instanceof LimitExceededException) {
            return new Failure(Kind.BUSY, code);
        }
        if (DENIALS.contains(code) || refused.statusCode() == 401 || refused.statusCode() == 403) {
            return new Failure(Kind.DENIED, code);
        }
        if (refused instanceof ResourceNotFoundException) {
            return new Failure(Kind.NO_TABLE, code);
        }
        if (refused instanceof ItemCollectionSizeLimitExceededException || code.equals("ValidationException")) {
            return new Failure(Kind.INVALID, code);
        }
        // Errors of the other side.
        return new Failure(Kind.UNCLEAR, code);
    }

    /** A cancelled transaction applied nothing. A failed condition is for the caller to see before it comes here. */
    private static Failure ofCancelled(TransactionCanceledException cancelled) {
        List<String> codes = cancelled.cancellationReasons().stream()
                .map(CancellationReason::code)
                .filter(code -> code != null && !code.equals("None"))
                .toList();
        String code = codes.isEmpty() ? "TransactionCanceled" : codes.get(0);
        if (codes.stream().anyMatch(NEVER_TAKEN::contains)) {
            return new Failure(Kind.INVALID, code);
        }
        if (codes.stream().anyMatch(DENIALS::contains)) {
            return new Failure(Kind.DENIED, code);
        }
        return new Failure(Kind.BUSY, code);
    }

    /** Without credentials nothing was sent; whether a person must act depends on why there are none. */
    private static Failure ofCredentials(CredentialsException credentials) {
        SdkServiceException refused = find(credentials, SdkServiceException.class);
        if (refused != null) {
            boolean later = refused.isThrottlingException() || refused.statusCode() >= 500;
            String code = refused instanceof AwsServiceException aws ? code(aws) : "Credentials";
            return new Failure(later ? Kind.NOT_SENT : Kind.DENIED, code);
        }
        boolean unreachable = find(credentials, java.io.IOException.class) != null;
        return new Failure(unreachable ? Kind.NOT_SENT : Kind.DENIED, "Credentials");
    }

    private static String code(AwsServiceException refused) {
        return refused.awsErrorDetails() == null || refused.awsErrorDetails().errorCode() == null
                ? "Http" + refused.statusCode()
                : refused.awsErrorDetails().errorCode();
    }

    private static <T extends Throwable> @Nullable T find(Throwable thrown, Class<T> type) {
        for (Throwable next = thrown; next != null; next = next.getCause()) {
            if (type.isInstance(next)) {
                return type.cast(next);
            }
        }
        return null;
    }

    private static Throwable root(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
