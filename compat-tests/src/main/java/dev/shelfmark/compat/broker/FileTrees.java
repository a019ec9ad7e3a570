package dev.shelfmark.compat.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Removing directories with all they hold. */
public final class FileTrees {

    private static final int ATTEMPTS = 10;

    private FileTrees() {}

    /** Removes a directory; does nothing when it is gone. What others remove or add at the same time is no obstacle. */
    public static void delete(Path tree) {
        for (int attempt = 1; Files.exists(tree); attempt++) {
            try {
                Files.walkFileTree(tree, new Deletion());
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    throw new UncheckedIOException("can't remove " + tree, e);
                }
            }
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
