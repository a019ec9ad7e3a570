package dev.shelfmark.compat;

import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** {@code -Dcompat.skip=postgres,dynamodb}: the only way not to test a store, and never a silent one. */
public final class SkippedBackEnds {

    private static final String PROPERTY = "compat.skip";

    private SkippedBackEnds() {}

    /** Says loudly that a store is not tested, and aborts the test, when it is named. */
    public static void abortIfNamed(String backEnd) {
        if (List.of(System.getProperty(PROPERTY, "").split(",", -1)).contains(backEnd)) {
            String loud = "NOT TESTED: the store '" + backEnd + "', because of -D" + PROPERTY;
            System.err.println("**** " + loud + " ****");
            Assumptions.abort(loud);
        }
    }
}
