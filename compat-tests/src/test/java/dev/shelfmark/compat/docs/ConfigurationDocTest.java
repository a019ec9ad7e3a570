package dev.shelfmark.compat.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.plugin.config.RlmmConfig;
import dev.shelfmark.store.StoreProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.types.Password;
import org.junit.jupiter.api.Test;

/** {@code docs/configuration.md} says what the code does: it is made from the definitions of the settings. */
class ConfigurationDocTest {

    private static final Path PAGE = Path.of("..", "docs", "configuration.md");
    private static final String WRITE = "shelfmark.docs.write";

    @Test
    void the_page_is_what_the_definitions_make_of_it() throws IOException {
        String page = page();
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(PAGE, page);
        }
        assertThat(PAGE)
                .as("out of date: run mvn -pl compat-tests -am test -Dtest=ConfigurationDocTest"
                        + " -Dsurefire.failIfNoSpecifiedTests=false -D" + WRITE + "=true")
                .hasContent(page);
    }

    private static String page() {
        StringBuilder page = new StringBuilder("""
                # Configuration

                <!-- Made from the definitions in the code by ConfigurationDocTest; a change here is undone by the next build. -->

                Settings of the plugin and of its stores. In a broker's properties each key has the prefix `rlmm.config.`
                (or what `remote.log.metadata.manager.impl.prefix` says); the `shelfmark` command takes the same file, or one without the prefix.
                A key that is not listed here is refused at start-up, with the nearest that is; only Kafka's own `remote.log.metadata.*`
                settings may stay, so that going back to Kafka's manager is one line.
                Values can come from Kafka's config providers, such as `${file:/run/secrets/db:password}`, read once at start-up;
                a placeholder whose provider the file does not define (`config.providers`) is refused.

                ## The plugin

                """);
        table(page, RlmmConfig.configDef());
        List<StoreProvider> stores = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(store -> List.of("jdbc", "dynamodb").contains(store.name()))
                .sorted(Comparator.comparing(StoreProvider::name).reversed())
                .toList();
        for (StoreProvider store : stores) {
            page.append("\n## The store `").append(store.name()).append("`\n\n");
            table(page, store.configDef());
        }
        return page.toString();
    }

    private static void table(StringBuilder page, ConfigDef definitions) {
        page.append("| key | default | values | what it does |\n|---|---|---|---|\n");
        for (ConfigDef.ConfigKey key : definitions.configKeys().values()) {
            page.append("| `")
                    .append(key.name)
                    .append("` | ")
                    .append(defaultOf(key))
                    .append(" | ")
                    .append(valuesOf(key))
                    .append(" | ")
                    .append(cell(key.documentation))
                    .append(" |\n");
        }
    }

    private static String defaultOf(ConfigDef.ConfigKey key) {
        if (!key.hasDefault()) {
            return "required";
        }
        // What would be shown of a password is not what it is.
        Object value = key.defaultValue instanceof Password secret ? secret.value() : key.defaultValue;
        return value == null || value.toString().isEmpty() ? "none" : "`" + cell(key.defaultValue.toString()) + "`";
    }

    private static String valuesOf(ConfigDef.ConfigKey key) {
        String type = key.type.name().toLowerCase(Locale.ROOT);
        return key.validator == null ? type : type + ", " + cell(key.validator.toString());
    }

    private static String cell(String text) {
        return text.lines().collect(Collectors.joining(" ")).replace("|", "\\|");
    }
}
