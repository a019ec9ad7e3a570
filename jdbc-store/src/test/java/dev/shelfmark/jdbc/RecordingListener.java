package dev.shelfmark.jdbc;

import dev.shelfmark.store.StoreListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers what a store told. */
final class RecordingListener implements StoreListener {

    final List<String> requests = new CopyOnWriteArrayList<>();
    final List<String> retries = new CopyOnWriteArrayList<>();

    @Override
    public void requested(String operation, long rows, long nanos) {
        requests.add(operation + " " + rows);
    }

    @Override
    public void retried(String operation, String reason) {
        retries.add(operation + " " + reason);
    }
}
