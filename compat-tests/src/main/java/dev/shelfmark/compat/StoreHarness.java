package dev.shelfmark.compat;

import dev.shelfmark.store.CatalogueStore;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreListener;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.StoreAdministration;
import java.time.Duration;

/** One database, and every way into it that the suite needs. Tests share it: each works under cluster ids of its own. */
public interface StoreHarness extends AutoCloseable {

    /** For stores whose retention is not what a test is about. */
    Retention A_DAY = new Retention(Duration.ofDays(1), Duration.ofDays(1));

    /**
     * Another store on this database, as another broker would have it: nothing is shared with the stores opened before but the
     * server. The test closes it.
     *
     * @param retention as in {@link dev.shelfmark.store.StoreContext}
     * @param listener is told what it does
     */
    CatalogueStore open(Retention retention, StoreListener listener);

    /**
     * A store like {@link #open}'s whose way to the server can be disturbed, usually through a {@link FaultProxy}. Its own limits
     * are as short as it allows, so that waiting for them is quick. The test closes it.
     *
     * @param listener is told what it does
     */
    FaultyStore openFaulty(StoreListener listener);

    /** Within what time a call of an {@link #openFaulty} store must have ended, whatever happens. */
    Duration callLimit();

    /** What registers clusters in this database. The test closes it. */
    StoreAdministration administration();

    /**
     * What goes through everything in this database, with no more than an auditor's rights. The test closes it.
     *
     * @param listener is told what it does
     */
    CatalogueListing listing(StoreListener listener);

    /** Whether the back end itself removes records of deleted segments, so that {@link CatalogueStore#purgeDeleted} has no work. */
    boolean recordsExpireByThemselves();

    /** Gives up the database. */
    @Override
    void close();
}
