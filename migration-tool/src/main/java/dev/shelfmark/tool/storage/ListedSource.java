package dev.shelfmark.tool.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Consumer;

/** A listing that somebody made before, and a directory with copies of the objects that are to be read, each at the path that is its key. */
public final class ListedSource implements ObjectSource {

    private final ObjectListing listing;
    private final Path copies;
    private final String prefix;

    /** @param prefix only objects whose keys begin with it */
    public ListedSource(ObjectListing listing, Path copies, String prefix) {
        this.listing = listing;
        this.copies = copies.toAbsolutePath().normalize();
        this.prefix = prefix;
    }

    @Override
    public void forEach(Consumer<StoredObject> objects) {
        listing.forEach(object -> {
            if (object.key().startsWith(prefix)) {
                objects.accept(object);
            }
        });
    }

    @Override
    public InputStream open(String key) throws IOException {
        Path copy = copies.resolve(key).normalize();
        // A listing is somebody else's: its keys must not lead anywhere.
        if (!copy.startsWith(copies)) {
            throw new NoSuchFileException(key, null, "the key leads out of " + copies);
        }
        return Files.newInputStream(copy);
    }

    @Override
    public void close() {}
}
