package dev.shelfmark.migration.history;

/**
 * What a check before an import found.
 *
 * @param verdict whether the import may go on
 * @param text what was found, and the next step where one is needed
 */
public record Finding(Verdict verdict, String text) {

    /** From harmless to not. */
    public enum Verdict {
        OK,
        WARNING,
        /** The import is refused, unless an option that the text names accepts it. */
        REFUSED
    }

    static Finding ok(String text) {
        return new Finding(Verdict.OK, text);
    }

    static Finding warning(String text) {
        return new Finding(Verdict.WARNING, text);
    }

    static Finding refused(String text) {
        return new Finding(Verdict.REFUSED, text);
    }
}
