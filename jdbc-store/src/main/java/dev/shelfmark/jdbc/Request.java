package dev.shelfmark.jdbc;

/**
 * One request to the server, as listeners and messages name it.
 *
 * @param operation from a small fixed set, for {@link dev.shelfmark.store.StoreListener}
 * @param subject what it is about, such as a partition; may be empty
 * @param changes whether it changes anything, so that a lost connection leaves its outcome unknown
 */
record Request(String operation, Object subject, boolean changes) {

    static Request read(String operation, Object subject) {
        return new Request(operation, subject, false);
    }

    static Request change(String operation, Object subject) {
        return new Request(operation, subject, true);
    }

    @Override
    public String toString() {
        String about = subject.toString();
        return about.isEmpty() ? operation : operation + " of " + about;
    }
}
