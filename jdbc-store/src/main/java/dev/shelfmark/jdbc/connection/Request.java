package dev.shelfmark.jdbc.connection;

/**
 * One request to the server, as listeners and messages name it.
 *
 * @param operation from a small fixed set, for {@link dev.shelfmark.store.StoreListener}
 * @param subject what it is about, such as a partition; may be empty
 * @param changes whether it changes anything, so that a lost connection leaves its outcome unknown
 * @param owners whether only the schema's owner may do it, so that no grant helps who lacks the right
 */
public record Request(String operation, Object subject, boolean changes, boolean owners) {

    public static Request read(String operation, Object subject) {
        return new Request(operation, subject, false, false);
    }

    public static Request change(String operation, Object subject) {
        return new Request(operation, subject, true, false);
    }

    public static Request ownersChange(String operation, Object subject) {
        return new Request(operation, subject, true, true);
    }

    @Override
    public String toString() {
        String about = subject.toString();
        return about.isEmpty() ? operation : operation + " of " + about;
    }
}
