package dev.shelfmark.store;

import org.jspecify.annotations.Nullable;

/**
 * Why a store could not do what it was asked. Messages name the operation, the partition where there is one, and the next
 * step; they never hold a secret.
 */
public abstract sealed class StoreException extends RuntimeException {

    private StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** The store can't be reached or is too busy. Nothing was changed; the same call may succeed later. */
    public static final class Unavailable extends StoreException {
        public Unavailable(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * The connection was lost or a limit ran out after a change was sent: it may be applied, now or a little later. Only a read
     * tells; a repeat with the same expected version is safe.
     */
    public static final class OutcomeUnknown extends StoreException {
        public OutcomeUnknown(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** The store refuses us: a wrong password, a missing right, a missing database. A person must act. */
    public static final class AccessDenied extends StoreException {
        public AccessDenied(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** The schema is missing, or of a version that this build can't work with. A person must act. */
    public static final class SchemaMismatch extends StoreException {
        public SchemaMismatch(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** What the store holds contradicts itself. Never answered over: a person must look. */
    public static final class Corrupt extends StoreException {
        public Corrupt(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** The store can never do this, whoever asks: a record beyond its limits. Nothing was changed. */
    public static final class Unsupported extends StoreException {
        public Unsupported(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
