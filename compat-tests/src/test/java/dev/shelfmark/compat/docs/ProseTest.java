package dev.shelfmark.compat.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Words that the glossary has replaced do not come back. A page that needs one can quote it as code. */
final class ProseTest {

    /** Each with what to write in its place. */
    private static final List<Replaced> REPLACED = List.of(
            new Replaced("the truth", "source of truth"),
            new Replaced(
                    "throw(?:s|n|ing)? the switch|at the switch|of the switch|after the switch", "cut over, cutover"),
            new Replaced("(?:the|a|no|its) way back", "roll back"),
            new Replaced("no more is|it no more", "is no longer"),
            new Replaced("shelf", "catalogue, cache"),
            new Replaced("zombie", "stale leader"),
            new Replaced("can't be had", "is not available"),
            new Replaced("is well\\?", "is healthy"),
            new Replaced("for ever", "never freed, forever"),
            new Replaced("brings? (?:the |its )?history in", "import"),
            new Replaced("(?:a|one|each|last|shared) look at", "poll, read"),
            new Replaced("looks at most", "polls"),
            new Replaced("is told so|are told so|was told so", "gets an error"),
            new Replaced("nothing contradicts", "is consistent"));

    /** Commands that have other names now; also not as code. */
    private static final Pattern RENAMED = Pattern.compile("shelfmark (?:ready|bridged|migrate)\\b");

    /** Generated from the code in whole or in large part: what they say is checked where it is written. */
    private static final Set<String> GENERATED = Set.of("command.md", "configuration.md");

    private static final Pattern CODE = Pattern.compile("`[^`\\n]*`");

    private record Replaced(Pattern words, String instead) {
        Replaced(String words, String instead) {
            this(
                    Pattern.compile("\\b(?:" + words.replace(" ", "\\s+") + ")(?![\\w-])", Pattern.CASE_INSENSITIVE),
                    instead);
        }
    }

    @Test
    void noPageUsesReplacedWords() {
        List<String> found = pages().flatMap(page -> in(page).stream()).toList();
        assertThat(found).isEmpty();
    }

    @Test
    void noPageUsesRenamedCommands() {
        List<String> found = pages().flatMap(page -> matches(page, Pages.prose(page), RENAMED, "the new name").stream())
                .toList();
        assertThat(found).isEmpty();
    }

    private static Stream<Path> pages() {
        return Pages.all().stream()
                .filter(page -> !GENERATED.contains(page.getFileName().toString()));
    }

    private static List<String> in(Path page) {
        String prose = CODE.matcher(Pages.prose(page)).replaceAll("``");
        return REPLACED.stream()
                .flatMap(replaced -> matches(page, prose, replaced.words(), replaced.instead()).stream())
                .collect(Collectors.toList());
    }

    private static List<String> matches(Path page, String prose, Pattern words, String instead) {
        List<String> found = new ArrayList<>();
        Matcher matcher = words.matcher(prose);
        while (matcher.find()) {
            long line = 1
                    + prose.substring(0, matcher.start())
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
            found.add(Pages.ROOT.relativize(page) + ":" + line + ": '" + matcher.group() + "': write " + instead);
        }
        return found;
    }
}
