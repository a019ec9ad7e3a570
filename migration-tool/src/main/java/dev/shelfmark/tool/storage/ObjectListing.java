package dev.shelfmark.tool.storage;

import java.util.function.Consumer;

/** Every object of a remote storage, or of a part of it. */
@FunctionalInterface
public interface ObjectListing {

    /** Hands them over one after another, in any order. */
    void forEach(Consumer<StoredObject> objects);
}
