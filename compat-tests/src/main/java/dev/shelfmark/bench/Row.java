package dev.shelfmark.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One line of the comparison.
 *
 * @param name what was measured
 * @param unit of both values
 * @param against what the reference is
 * @param reference the reference's values, one a round; may be none
 * @param shelfmark Shelfmark's values, one a round
 * @param bound what must hold, or null
 * @param note under which conditions, where they are not a broker's own
 */
record Row(
        String name,
        String unit,
        String against,
        List<Double> reference,
        List<Double> shelfmark,
        @Nullable Bound bound,
        String note) {

    private static final MathContext DIGITS = new MathContext(3);

    Row {
        reference = List.copyOf(reference);
        shelfmark = List.copyOf(shelfmark);
    }

    double ratio() {
        return reference.isEmpty() ? Double.NaN : Samples.median(shelfmark) / Samples.median(reference);
    }

    /** Whether the bound holds; a row without one holds. */
    boolean holds() {
        return bound == null || bound.holds(Samples.median(shelfmark), ratio());
    }

    /** The cells, as {@link Report} names them. */
    @Nullable
    Object[] cells() {
        return new @Nullable Object[] {
            name,
            unit,
            reference.isEmpty() ? null : against,
            reference.isEmpty() ? null : round(Samples.median(reference)),
            round(Samples.median(shelfmark)),
            reference.isEmpty() ? null : round(ratio()),
            bound == null ? null : bound.toString(),
            bound == null ? null : holds(),
            spread(reference),
            spread(shelfmark),
            note
        };
    }

    private static @Nullable String spread(List<Double> values) {
        return values.size() < 2 ? null : round(Collections.min(values)) + ".." + round(Collections.max(values));
    }

    private static BigDecimal round(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalStateException("not a number: " + value);
        }
        BigDecimal exact = BigDecimal.valueOf(value);
        BigDecimal rounded =
                Math.abs(value) >= 1_000 ? exact.setScale(0, java.math.RoundingMode.HALF_UP) : exact.round(DIGITS);
        BigDecimal plain = rounded.stripTrailingZeros();
        return plain.scale() < 0 ? plain.setScale(0) : plain;
    }
}
