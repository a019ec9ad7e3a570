package dev.shelfmark.compat.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The checkout's documentation and sources, read from the directory above this module. */
final class Pages {

    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern CODE_BLOCK = Pattern.compile("(?ms)^\\s*```.*?^\\s*```");
    private static final Pattern GENERATED =
            Pattern.compile("(?s)<!-- [\\w ]+: (?:generated|made by \\w+) -->.*?<!-- end of [\\w ]+ -->");

    private Pages() {}

    /** README, CONTRIBUTING, CHANGELOG and everything in docs, in a stable order. */
    static List<Path> all() {
        List<Path> pages = new ArrayList<>(files("docs", ".md"));
        Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
                .map(ROOT::resolve)
                .forEach(pages::add);
        return pages;
    }

    /** Every Java file of every module's {@code src}, tests included. */
    static List<Path> sources() {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules.filter(module -> Files.isDirectory(module.resolve("src")))
                    .flatMap(module -> files(ROOT.relativize(module) + "/src", ".java").stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> files(String directory, String extension) {
        try (Stream<Path> files = Files.walk(ROOT.resolve(directory))) {
            return files.filter(file -> file.toString().endsWith(extension))
                    .sorted(Comparator.naturalOrder())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A page without blocks of code and without generated parts; line numbers stay as they are. */
    static String prose(Path page) {
        return blank(blank(read(page), GENERATED), CODE_BLOCK);
    }

    private static String blank(String text, Pattern pattern) {
        return pattern.matcher(text)
                .replaceAll(found -> "\n".repeat((int) found.group().lines().count() - 1));
    }
}
