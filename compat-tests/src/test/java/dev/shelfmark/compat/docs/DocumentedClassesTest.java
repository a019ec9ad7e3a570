package dev.shelfmark.compat.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The classes, methods and packages that ARCHITECTURE.md and the pages that argue from the code name in backticks exist. */
final class DocumentedClassesTest {

    private static final List<String> PAGES =
            List.of("ARCHITECTURE.md", "why-the-bridge-is-safe.md", "unknown-outcomes.md", "reliability.md");

    /** {@code Name}, {@code Name.member}, {@code Name.member()}: names with a small letter, so that constants are none. */
    private static final Pattern CLASS = Pattern.compile("`([A-Z]\\w*[a-z]\\w*)(?:\\.(\\w+))?(?:\\([^`]*\\))?`");

    private static final Pattern PACKAGE = Pattern.compile("`(dev\\.shelfmark(?:\\.[a-z]+)*)`");

    /** Kafka's. */
    private static final Set<String> OTHERS = Set.of(
            "RemoteLogManager",
            "RemoteLogMetadataManager",
            "RemoteLogMetadataCache",
            "RemoteLogMetadataTopicPartitioner",
            "RemoteStorageManager",
            "ReplicaManager",
            "ReplicaNotAvailableException",
            "TierStateMachine",
            "TopicBasedRemoteLogMetadataManager",
            "Monitorable",
            "Describe",
            "TransactWriteItems");

    @Test
    void namesInTheCodeExist() {
        Map<String, Path> sources = new HashMap<>();
        Pages.sources().forEach(file -> sources.put(simpleName(file), file));
        List<String> gone = new ArrayList<>();
        for (String name : PAGES) {
            Matcher named = CLASS.matcher(Pages.prose(Pages.ROOT.resolve("docs").resolve(name)));
            while (named.find()) {
                if (!OTHERS.contains(named.group(1)) && !exists(sources, named.group(1), named.group(2))) {
                    gone.add(name + ": " + named.group());
                }
            }
        }
        assertThat(gone).isEmpty();
    }

    @Test
    void packagesInTheCodeExist() {
        List<String> gone = new ArrayList<>();
        Set<String> packages = Set.copyOf(Pages.sources().stream()
                .map(file -> Pages.ROOT.relativize(file).toString().replaceFirst(".*/java/", ""))
                .map(file -> file.replaceFirst("/?[^/]+$", "").replace('/', '.'))
                .toList());
        for (String name : PAGES) {
            Matcher named =
                    PACKAGE.matcher(Pages.read(Pages.ROOT.resolve("docs").resolve(name)));
            while (named.find()) {
                if (packages.stream().noneMatch(known -> known.equals(named.group(1)))) {
                    gone.add(name + ": " + named.group());
                }
            }
        }
        assertThat(gone).isEmpty();
    }

    private static boolean exists(Map<String, Path> sources, String type, String member) {
        Path source = sources.get(type);
        return source != null
                && (member == null
                        || Pattern.compile("\\b" + member + "\\b")
                                .matcher(Pages.read(source))
                                .find());
    }

    private static String simpleName(Path file) {
        String name = file.getFileName().toString();
        return name.substring(0, name.length() - ".java".length());
    }
}
