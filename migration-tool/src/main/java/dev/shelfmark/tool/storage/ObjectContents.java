package dev.shelfmark.tool.storage;

import java.io.IOException;
import java.io.InputStream;

/** Reads objects. Used by many threads. */
@FunctionalInterface
public interface ObjectContents {

    /**
     * Opens an object.
     *
     * @param key its whole key
     * @throws java.nio.file.NoSuchFileException when there is none
     * @throws IOException when it can't be read
     */
    InputStream open(String key) throws IOException;
}
