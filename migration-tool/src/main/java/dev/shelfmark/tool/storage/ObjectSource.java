package dev.shelfmark.tool.storage;

/** A remote storage whose objects can be listed and read. */
public interface ObjectSource extends ObjectListing, ObjectContents, AutoCloseable {

    @Override
    void close();
}
