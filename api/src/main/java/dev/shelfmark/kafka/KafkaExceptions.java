package dev.shelfmark.kafka;

import dev.shelfmark.catalogue.CatalogueException;
import dev.shelfmark.catalogue.rules.WriteOutcome;
import dev.shelfmark.store.StoreException;
import org.apache.kafka.common.errors.ReplicaNotAvailableException;
import org.apache.kafka.server.log.remote.storage.RemoteResourceNotFoundException;
import org.apache.kafka.server.log.remote.storage.RemoteStorageException;
import org.jspecify.annotations.Nullable;

/**
 * Our failures as the exceptions that Kafka's callers treat right; the only place that knows both.
 *
 * <p>A read that can't be answered throws {@link ReplicaNotAvailableException}: RemoteLogManager's tasks take it as "again later", and the fetch
 * path sends it to the client as an error that is retried, where any RemoteStorageException would reach the application as an unknown server error
 * and an empty answer would reset its offsets. It is what Kafka's own manager throws, in every supported version.
 *
 * <p>A write that did not come through fails its future with a {@link RemoteStorageException}; the caller logs it and comes again.
 */
public final class KafkaExceptions {

    private KafkaExceptions() {}

    /** For a read: "I can't tell now", or Kafka's answer for a deleted partition. */
    public static RuntimeException unanswered(StoreException failure) {
        return cannotTell(failure.getMessage(), failure);
    }

    /** As above. */
    public static RuntimeException unanswered(CatalogueException failure) throws RemoteResourceNotFoundException {
        if (failure instanceof CatalogueException.PartitionDeleted) {
            throw new RemoteResourceNotFoundException(String.valueOf(failure.getMessage()));
        }
        return cannotTell(failure.getMessage(), failure);
    }

    /** For a read, with the reason. */
    public static ReplicaNotAvailableException notReady(String reason) {
        return new ReplicaNotAvailableException("The catalogue can't answer now: " + reason);
    }

    private static ReplicaNotAvailableException cannotTell(@Nullable String reason, RuntimeException cause) {
        return new ReplicaNotAvailableException("The catalogue can't answer now: " + reason, cause);
    }

    /** For a write. */
    public static RemoteStorageException notWritten(String message, @Nullable Throwable cause) {
        return new RemoteStorageException(message, cause);
    }

    public static RemoteStorageException refused(WriteOutcome.Refused refused) {
        return refused.missing()
                ? new RemoteResourceNotFoundException(refused.reason())
                : new RemoteStorageException(refused.reason());
    }
}
