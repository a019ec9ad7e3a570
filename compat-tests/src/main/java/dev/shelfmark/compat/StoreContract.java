package dev.shelfmark.compat;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.TextualId;
import dev.shelfmark.store.admin.StoreAdministration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** What the themes of the store contract have in common: one database for each theme, stores that are closed after each test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
public abstract class StoreContract {

    static final Retention LONG_RETENTION = StoreHarness.A_DAY;

    private final StoreBackEnd backEnd;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private @Nullable StoreHarness harness;
    private @Nullable CatalogueStore shared;

    protected StoreContract(StoreBackEnd backEnd) {
        this.backEnd = backEnd;
    }

    @BeforeAll
    final void startBackEnd() {
        SkippedBackEnds.abortIfNamed(backEnd.name());
        harness = backEnd.start();
    }

    @AfterEach
    final void closeStores() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    @AfterAll
    final void stopBackEnd() {
        if (shared != null) {
            shared.close();
        }
        if (harness != null) {
            harness.close();
        }
    }

    /** The database that this theme's tests share. */
    protected final StoreHarness harness() {
        return Objects.requireNonNull(harness, "startBackEnd has not run");
    }

    /** A database of its own, as the theme's was when it was new. The test closes it. */
    final StoreHarness another() {
        return backEnd.start();
    }

    /** A store that this theme's tests share. */
    final CatalogueStore store() {
        if (shared == null) {
            shared = harness().open(LONG_RETENTION, StoreListener.NONE);
        }
        return shared;
    }

    final CatalogueStore open() {
        return open(LONG_RETENTION, StoreListener.NONE);
    }

    final CatalogueStore open(Retention retention, StoreListener listener) {
        return closeLater(harness().open(retention, listener));
    }

    final FaultyStore openFaulty() {
        return openFaulty(StoreListener.NONE);
    }

    final FaultyStore openFaulty(StoreListener listener) {
        return closeLater(harness().openFaulty(listener));
    }

    final <T extends AutoCloseable> T closeLater(T resource) {
        opened.push(resource);
        return resource;
    }

    /** The id of a new cluster that is registered as ready. */
    final String newCluster() {
        String clusterId = newClusterId();
        try (StoreAdministration administration = harness().administration()) {
            ClusterRecord ready =
                    new ClusterRecord(clusterId, ClusterState.READY, 1, Instant.EPOCH, "compatibility suite", "");
            if (!administration.putCluster(ready)) {
                throw new IllegalStateException("a new cluster id is taken: " + clusterId);
            }
        }
        return clusterId;
    }

    static String newClusterId() {
        return TextualId.of(UUID.randomUUID());
    }

    /** A new partition of a new cluster. */
    final TestPartition newPartition() {
        return TestPartition.of(store(), newCluster());
    }
}
