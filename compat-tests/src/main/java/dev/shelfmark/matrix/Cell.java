package dev.shelfmark.matrix;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * One cluster of the matrix.
 *
 * @param kafka the release that it begins with, such as 4.4.0
 * @param upgradeTo the release to which its nodes are upgraded one by one; the same if they are not
 * @param javaHome the JDK
 * @param loading how the plugin is loaded
 * @param roles which processes it has
 */
record Cell(String kafka, String upgradeTo, Path javaHome, Loading loading, Roles roles) {

    boolean upgrades() {
        return !kafka.equals(upgradeTo);
    }

    /** Whether this release is older than another, given as major and minor version. */
    boolean before(int major, int minor) {
        String[] parts = kafka.split("\\.", -1);
        int ownMajor = Integer.parseInt(parts[0]);
        int ownMinor = Integer.parseInt(parts[1]);
        return ownMajor < major || (ownMajor == major && ownMinor < minor);
    }

    String kafkaText() {
        return upgrades() ? kafka + " to " + upgradeTo : kafka;
    }

    /** The JDK's own feature version, such as 17. */
    String jdk() {
        try {
            for (String line : Files.readAllLines(javaHome.resolve("release"))) {
                if (line.startsWith("JAVA_VERSION=")) {
                    return line.replaceAll("JAVA_VERSION=\"([0-9]+).*", "$1");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(javaHome + " is no JDK: it has no file 'release'", e);
        }
        throw new IllegalArgumentException(javaHome + "/release names no JAVA_VERSION");
    }
}
