package dev.shelfmark.tool.failure;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What is wrong with a file, in words: of the commonest troubles Java's own message is nothing but the file's name. */
public final class FileErrors {

    private FileErrors() {}

    /** Why it could not be read or written. */
    public static String reason(IOException e) {
        if (e instanceof NoSuchFileException missing) {
            return "there is no " + missing.getFile();
        } else if (e instanceof AccessDeniedException denied) {
            return "access to " + denied.getFile() + " is denied";
        } else if (e instanceof DirectoryNotEmptyException directory) {
            return directory.getFile() + " is a directory";
        } else if (e instanceof CharacterCodingException) {
            return "it is not text in UTF-8";
        }
        boolean nameOnly = e instanceof FileSystemException problem && problem.getReason() == null;
        return nameOnly || e.getMessage() == null ? e.toString() : e.getMessage();
    }

    /**
     * Refuses, before any work is done, a result's file that can't be made in the end.
     *
     * @param option that named it
     */
    public static void ensureWritable(String option, Path file) {
        if (Files.isDirectory(file)) {
            throw ToolFailure.usage(option + ": " + file + " is a directory; name a file in it");
        }
        Path directory = file.toAbsolutePath().getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            throw ToolFailure.usage(option + ": can't write " + file + ": there is no directory " + directory);
        }
        Path written = Files.exists(file) ? file : directory;
        if (!Files.isWritable(written)) {
            throw ToolFailure.usage(option + ": can't write " + file + ": access to " + written + " is denied");
        }
    }
}
