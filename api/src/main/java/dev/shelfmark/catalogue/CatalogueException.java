package dev.shelfmark.catalogue;

/** The catalogue can't answer, for a reason of its own rather than of the store's. */
public abstract sealed class CatalogueException extends RuntimeException {

    private CatalogueException(String message) {
        super(message);
    }

    /** No answer in time; the same call may succeed later. */
    public static final class TimedOut extends CatalogueException {
        public TimedOut(String message) {
            super(message);
        }
    }

    /** The deletion of the whole partition is finished: there is nothing to answer about. */
    public static final class PartitionDeleted extends CatalogueException {
        public PartitionDeleted(String message) {
            super(message);
        }
    }
}
