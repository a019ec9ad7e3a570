package dev.shelfmark.tool.migrate.importing;

/**
 * What a check before an import found.
 *
 * @param verdict whether the import may go on
 * @param text what was found, and the next step where one is needed
 */
public record PreflightFinding(Verdict verdict, String text) {

    /** From harmless to not. */
    public enum Verdict {
        OK,
        WARNING,
        /** The import is refused, unless an option that the text names accepts it. */
        REFUSED
    }

    static PreflightFinding ok(String text) {
        return new PreflightFinding(Verdict.OK, text);
    }

    static PreflightFinding warning(String text) {
        return new PreflightFinding(Verdict.WARNING, text);
    }

    static PreflightFinding refused(String text) {
        return new PreflightFinding(Verdict.REFUSED, text);
    }
}
