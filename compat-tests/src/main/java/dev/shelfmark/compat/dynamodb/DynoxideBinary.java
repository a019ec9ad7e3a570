package dev.shelfmark.compat.dynamodb;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The {@code dynoxide} binary of this platform, installed by npm (which checks its digest) into the user's cache, once. */
final class DynoxideBinary {

    static final String VERSION = "1.2.1";

    private static final Duration INSTALL_LIMIT = Duration.ofMinutes(3);
    private static final String REMEDY =
            "For the DynamoDB store, start Docker, or install npm (it comes with Node.js), or name an endpoint in"
                    + " COMPAT_DYNAMODB_ENDPOINT; in tests, -Dcompat.skip=dynamodb leaves the store untested.";

    private DynoxideBinary() {}

    static Path install() {
        String platform = platform();
        Path home = cache().resolve(platform + "-" + VERSION);
        Path binary = home.resolve(Path.of(
                "node_modules", "@dynoxide", platform, platform.startsWith("win32") ? "dynoxide.exe" : "dynoxide"));
        if (!Files.isExecutable(binary)) {
            try {
                installInto(home, "@dynoxide/" + platform + "@" + VERSION);
            } catch (IOException e) {
                throw new NoEmulatorException("npm can't be run. " + REMEDY, e);
            }
        }
        if (!Files.isExecutable(binary)) {
            throw new NoEmulatorException("npm installed no executable " + binary + ". " + REMEDY, null);
        }
        return binary;
    }

    /** Into a directory of its own first, and then moved in one step: another build may be doing the same. */
    private static void installInto(Path home, String dynoxide) throws IOException {
        Files.createDirectories(home.getParent());
        Path fresh = Files.createTempDirectory(home.getParent(), "installing-");
        Path log = fresh.resolve("npm.log");
        Process npm = new ProcessBuilder(npm(), "install", "--prefix", fresh.toString(), "--no-save", dynoxide)
                .directory(fresh.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!ended(npm) || npm.exitValue() != 0) {
            throw new NoEmulatorException(
                    "npm could not install " + dynoxide + ". " + REMEDY + " npm said: "
                            + Files.readString(log, StandardCharsets.UTF_8),
                    null);
        }
        try {
            Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (DirectoryNotEmptyException | FileAlreadyExistsException anotherWasFaster) {
            deleteTree(fresh);
        }
    }

    private static boolean ended(Process npm) {
        try {
            boolean ended = npm.waitFor(INSTALL_LIMIT.toSeconds(), TimeUnit.SECONDS);
            if (!ended) {
                npm.destroyForcibly();
            }
            return ended;
        } catch (InterruptedException e) {
            npm.destroyForcibly();
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void deleteTree(Path root) throws IOException {
        List<Path> deepestLast;
        try (var paths = Files.walk(root)) {
            deepestLast = paths.toList();
        }
        for (int i = deepestLast.size() - 1; i >= 0; i--) {
            Files.delete(deepestLast.get(i));
        }
    }

    private static String npm() {
        return windows() ? "npm.cmd" : "npm";
    }

    /** As npm names platforms. */
    private static String platform() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String system = windows() ? "win32" : os.contains("mac") ? "darwin" : "linux";
        String architecture = List.of("aarch64", "arm64").contains(System.getProperty("os.arch")) ? "arm64" : "x64";
        return system + "-" + architecture;
    }

    private static boolean windows() {
        return System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("windows");
    }

    private static Path cache() {
        return Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                .filter(path -> !path.isBlank())
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache"))
                .resolve("shelfmark");
    }
}
