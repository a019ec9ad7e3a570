package dev.shelfmark.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The base of a store's test class, which names each theme in a nested class; here it is checked that none is forgotten. */
public abstract class StoreSuite {

    private static final List<Class<?>> THEMES = List.of(
            ReadingContract.class,
            FidelityContract.class,
            CommittingContract.class,
            PurgingContract.class,
            ClustersContract.class,
            CostsContract.class,
            RacesContract.class,
            FaultsContract.class,
            EndingContract.class,
            ListingContract.class,
            HistoryContract.class);

    @Test
    void runsEveryTheme() {
        assertThat(Arrays.stream(getClass().getDeclaredClasses())
                        .<Class<?>>map(Class::getSuperclass)
                        .toList())
                .as("the themes in " + getClass().getSimpleName())
                .containsAll(THEMES);
    }
}
