package dev.shelfmark.compat;

import org.junit.jupiter.api.Nested;

/** The plugin on the reference store. */
final class InMemoryPluginTest {

    private static final StoreBackEnd STORE = new InMemoryBackEnd();

    @Nested
    final class Model extends ModelContract {
        Model() {
            super(STORE);
        }

        @Override
        protected int sequences() {
            return 60;
        }
    }
}
