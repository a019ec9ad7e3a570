package dev.shelfmark.bench;

import java.util.Locale;

/**
 * What must hold of a row.
 *
 * @param subject of what
 * @param least the least that is allowed
 * @param most the most that is allowed
 */
record Bound(Subject subject, double least, double most) {

    /** What is bounded. */
    enum Subject {
        RATIO,
        VALUE
    }

    static Bound ratioAtMost(double most) {
        return new Bound(Subject.RATIO, Double.NEGATIVE_INFINITY, most);
    }

    static Bound ratioAtLeast(double least) {
        return new Bound(Subject.RATIO, least, Double.POSITIVE_INFINITY);
    }

    static Bound ratioWithin(double least, double most) {
        return new Bound(Subject.RATIO, least, most);
    }

    static Bound valueAtMost(double most) {
        return new Bound(Subject.VALUE, Double.NEGATIVE_INFINITY, most);
    }

    boolean holds(double value, double ratio) {
        double judged = subject == Subject.RATIO ? ratio : value;
        return least <= judged && judged <= most;
    }

    @Override
    public String toString() {
        String what = subject == Subject.RATIO ? "ratio " : "";
        if (Double.isInfinite(least)) {
            return what + "<= " + number(most);
        }
        return Double.isInfinite(most) ? what + ">= " + number(least) : what + number(least) + " to " + number(most);
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e9
                ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%.3g", value);
    }
}
