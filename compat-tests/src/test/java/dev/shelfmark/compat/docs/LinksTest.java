package dev.shelfmark.compat.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Links within the documentation, and from messages in the code to it, lead somewhere. */
final class LinksTest {

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern NAMED_IN_CODE = Pattern.compile("docs/[\\w-]+\\.md(?:#[\\w-]+)?");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?)\\s*$");

    private final Map<Path, Set<String>> anchors = new HashMap<>();

    @Test
    void relativeLinksAndAnchorsResolve() {
        List<String> broken = new ArrayList<>();
        for (Path page : Pages.all()) {
            Matcher links = LINK.matcher(Pages.prose(page));
            while (links.find()) {
                String link = links.group(1);
                if (!link.contains("://") && !link.startsWith("mailto:") && !resolves(page, link)) {
                    broken.add(Pages.ROOT.relativize(page) + ": " + link);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void pagesNamedInTheCodeExist() {
        List<String> broken = new ArrayList<>();
        for (Path source : Pages.sources()) {
            Matcher named = NAMED_IN_CODE.matcher(Pages.read(source));
            while (named.find()) {
                if (!resolves(Pages.ROOT.resolve("README.md"), named.group())) {
                    broken.add(Pages.ROOT.relativize(source) + ": " + named.group());
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    private boolean resolves(Path page, String link) {
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
        return Files.exists(target)
                && (hash < 0
                        || anchors.computeIfAbsent(target, LinksTest::anchorsOf).contains(link.substring(hash + 1)));
    }

    /** As GitHub makes them: lower case, no punctuation, a hyphen for a space, a number from the second of a name on. */
    private static Set<String> anchorsOf(Path page) {
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        Matcher headings = HEADING.matcher(Pages.prose(page));
        while (headings.find()) {
            String name = headings.group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N}\\-_ ]", "")
                    .replace(' ', '-');
            int before = seen.merge(name, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? name : name + "-" + before);
        }
        return anchors;
    }
}
