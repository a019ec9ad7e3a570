package dev.shelfmark.tool.storage;

import dev.shelfmark.tool.failure.FileErrors;
import dev.shelfmark.tool.failure.ToolFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.function.Consumer;

/** The files below a directory, such as a mounted share; a file's path below it, with slashes, is its key. */
public final class DirectorySource implements ObjectSource {

    private final Path root;
    private final String prefix;

    /** @param prefix only objects whose keys begin with it */
    public DirectorySource(Path root, String prefix) {
        this.root = root;
        this.prefix = prefix;
        if (!Files.isDirectory(root)) {
            throw ToolFailure.usage("--directory: there is no directory " + root);
        }
    }

    @Override
    public void forEach(Consumer<StoredObject> objects) {
        try {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    String key = root.relativize(file).toString().replace('\\', '/');
                    if (attributes.isRegularFile() && key.startsWith(prefix)) {
                        objects.accept(new StoredObject(
                                key,
                                attributes.size(),
                                attributes.lastModifiedTime().toInstant()));
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                    // What goes away while one looks was not there.
                    if (e instanceof NoSuchFileException && !file.equals(root)) {
                        return FileVisitResult.CONTINUE;
                    }
                    throw e;
                }
            });
        } catch (IOException e) {
            throw ToolFailure.storage("can't list the directory " + root + ": " + FileErrors.reason(e), e);
        }
    }

    @Override
    public InputStream open(String key) throws IOException {
        return Files.newInputStream(root.resolve(key));
    }

    @Override
    public void close() {}
}
