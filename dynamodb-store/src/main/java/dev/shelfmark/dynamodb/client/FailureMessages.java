package dev.shelfmark.dynamodb.client;

import dev.shelfmark.store.StoreException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;

/** From a failed attempt to the SPI's failure, with a message that says what to do next. */
record FailureMessages(String table, String region) {

    StoreException exception(
            Call call,
            Failure failure,
            boolean mayBeApplied,
            int attempts,
            Throwable cause,
            Function<Call, String> tableStatus) {
        String what = call.about() + " in DynamoDB table " + table + " (" + region + "): ";
        if (failure.kind() == Failure.Kind.INVALID) {
            return invalid(call, what, failure, cause);
        }
        if (mayBeApplied) {
            return new StoreException.OutcomeUnknown(
                    what + "no clear answer (" + failure.code() + ") after " + attempts
                            + " attempts; read the partition to see whether it was applied",
                    cause);
        }
        return switch (failure.kind()) {
            case DENIED ->
                new StoreException.AccessDenied(
                        what + "refused (" + failure.code()
                                + "); check the credentials under dynamodb.credentials.* and"
                                + " the IAM policy against docs/dynamodb.md",
                        cause);
            case CLOCK ->
                new StoreException.AccessDenied(
                        what + "refused (" + failure.code() + "): this machine's clock is off; set it right", cause);
            case NO_TABLE -> noTable(call, what, cause, tableStatus);
            case INTERRUPTED -> new StoreException.Unavailable(what + "the thread was interrupted", cause);
            case BUSY ->
                new StoreException.Unavailable(
                        what + "busy (" + failure.code() + ") after " + attempts
                                + " attempts; if it lasts, look at the table's throttling metrics and limits",
                        cause);
            default ->
                new StoreException.Unavailable(
                        what + "not reached (" + failure.code() + ") after " + attempts
                                + " attempts; check the network and dynamodb.endpoint",
                        cause);
        };
    }

    StoreException notSent(Call call, boolean mayBeApplied, String why) {
        String message = call.about() + " in DynamoDB table " + table + " (" + region + "): " + why;
        return mayBeApplied
                ? new StoreException.OutcomeUnknown(
                        message + "; an earlier attempt may be applied, read the partition to see", null)
                : new StoreException.Unavailable(message, null);
    }

    /** Our reads are always valid for a table of our layout, so an invalid read means another layout. */
    private static StoreException invalid(Call call, String what, Failure failure, Throwable cause) {
        return call.changes()
                ? new StoreException.Unsupported(
                        what + "beyond DynamoDB's limits (" + failure.code()
                                + "): an item may have 400 KB, a commit 4 MB," + " a partition 10 GB with its indexes",
                        cause)
                : new StoreException.SchemaMismatch(
                        what + "the table is not of Shelfmark's layout (" + failure.code()
                                + "); name another one in dynamodb.table, or run 'shelfmark init'",
                        cause);
    }

    /** A table that is being created looks like one that is not there. */
    private static StoreException noTable(Call call, String what, Throwable cause, Function<Call, String> tableStatus) {
        String missing =
                what + "there is no such table; run 'shelfmark init', or check dynamodb.table and dynamodb.region";
        try {
            return new StoreException.Unavailable(
                    what + "the table is " + tableStatus.apply(call) + "; wait until it is ACTIVE", cause);
        } catch (ResourceNotFoundException e) {
            return new StoreException.SchemaMismatch(missing, cause);
        } catch (SdkException | IllegalStateException | RejectedExecutionException e) {
            cause.addSuppressed(e);
            return new StoreException.SchemaMismatch(missing, cause);
        }
    }
}
