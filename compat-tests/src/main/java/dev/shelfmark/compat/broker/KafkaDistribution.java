package dev.shelfmark.compat.broker;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A Kafka release as jars, as the build lays it out.
 *
 * @param directory {@code kafka-<version>}, with {@code libs} in it
 */
public record KafkaDistribution(Path directory) {

    /** Names the directory when it is not where the build puts it. */
    public static final String DIRECTORY_PROPERTY = "shelfmark.kafka.directory";

    private static final Path BUILD_DIRECTORY = Path.of("kafka-broker", "target");
    private static final String PREFIX = "kafka-";

    public KafkaDistribution {
        if (!Files.isDirectory(directory.resolve("libs"))) {
            throw missing(directory);
        }
    }

    /** The newest one that the build laid out, or the one that {@link #DIRECTORY_PROPERTY} names. */
    public static KafkaDistribution locate() {
        String named = System.getProperty(DIRECTORY_PROPERTY);
        if (named != null) {
            return new KafkaDistribution(Path.of(named));
        }
        Path build = module().resolve(BUILD_DIRECTORY);
        if (!Files.isDirectory(build)) {
            throw missing(build);
        }
        try (Stream<Path> entries = Files.list(build)) {
            return entries.filter(entry -> entry.getFileName().toString().startsWith(PREFIX))
                    .max(Comparator.naturalOrder())
                    .map(KafkaDistribution::new)
                    .orElseThrow(() -> missing(build));
        } catch (IOException e) {
            throw new UncheckedIOException("can't list " + build, e);
        }
    }

    /** The one of this version, which {@code bin/matrix} lays out. */
    public static KafkaDistribution ofVersion(String version) {
        return new KafkaDistribution(module().resolve(BUILD_DIRECTORY).resolve(PREFIX + version));
    }

    private static IllegalStateException missing(Path where) {
        return new IllegalStateException(
                "no Kafka in " + where + "; lay it out with: mvn -pl compat-tests/kafka-broker generate-resources");
    }

    /** Kafka's version, such as 4.4.0. */
    public String version() {
        return directory.getFileName().toString().substring(PREFIX.length());
    }

    /** For {@code java -cp}. */
    public String classPath() {
        return directory.resolve("libs") + "/*";
    }

    /** Where the classes of this module are, as a broker's class path can name it: a directory or a jar. */
    static Path ownClasses() {
        try {
            return Path.of(KafkaDistribution.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("this module's classes have no place", e);
        }
    }

    /** Puts the one class that a broker's process needs of us under a directory of its own. */
    static void copyOrphanGuard(Path classes) throws IOException {
        String resource = OrphanGuard.class.getName().replace('.', '/') + ".class";
        Path target = classes.resolve(resource);
        Files.createDirectories(target.getParent());
        try (InputStream content = OrphanGuard.class.getClassLoader().getResourceAsStream(resource)) {
            if (content == null) {
                throw new IOException(resource + " is not on the class path");
            }
            Files.copy(content, target);
        }
    }

    /** {@code compat-tests}: two levels above {@code target/classes} or {@code target/x.jar}. */
    static Path module() {
        Path target = ownClasses().getParent();
        Path module = target == null ? null : target.getParent();
        return module == null ? Path.of("") : module;
    }
}
