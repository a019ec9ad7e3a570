package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The base of a test class for the plugin on top of a store, as {@link StoreSuite} is for the store alone. */
public abstract class PluginSuite {

    private static final List<Class<?>> THEMES = List.of(
            ReportsContract.class,
            GateContract.class,
            OutageContract.class,
            FreshnessContract.class,
            ModelContract.class);

    @Test
    void runsEveryTheme() {
        assertThat(Arrays.stream(getClass().getDeclaredClasses())
                        .<Class<?>>map(Class::getSuperclass)
                        .toList())
                .as("the themes in " + getClass().getSimpleName())
                .containsAll(THEMES);
    }
}
