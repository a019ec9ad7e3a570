package dev.shelfmark.tool.console;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations and moments as people type them. */
public final class Durations {

    private static final Pattern SHORT = Pattern.compile("([0-9]+)(ms|s|m|h|d)");

    // What is beyond could overflow sums of it in Java or in a store, and nobody means it.
    private static final Duration LONGEST = Duration.ofDays(36_500);
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private Durations() {}

    /** {@code 90s}, {@code 30m}, {@code 6h}, {@code 7d}, or ISO 8601 such as {@code PT6H}. */
    public static final class AgeConverter implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            return duration(text)
                    .orElseThrow(() -> new TypeConversionException("'" + text + "' is not a duration of at most "
                            + LONGEST.toDays() + " days: write 30m, 6h or 7d"));
        }
    }

    /** A moment: ISO 8601 with a zone, or how long ago. */
    public static final class MomentConverter implements ITypeConverter<Instant> {
        private final Clock clock;

        public MomentConverter(Clock clock) {
            this.clock = clock;
        }

        @Override
        public Instant convert(String text) {
            Optional<Duration> ago = duration(text);
            if (ago.isPresent()) {
                return clock.instant().minus(ago.get());
            }
            try {
                Instant moment = Instant.parse(text);
                if (moment.isBefore(Instant.EPOCH) || moment.isAfter(LATEST)) {
                    throw new TypeConversionException("'" + text + "' is not a moment from 1970 to 9999");
                }
                return moment;
            } catch (DateTimeParseException e) {
                throw new TypeConversionException("'" + text
                        + "' is not a moment: write 2026-05-03T10:15:00Z, or how long ago, such as 6h or 7d");
            }
        }
    }

    static Optional<Duration> duration(String text) {
        return written(text).filter(duration -> !duration.isNegative() && duration.compareTo(LONGEST) <= 0);
    }

    private static Optional<Duration> written(String text) {
        Matcher matcher = SHORT.matcher(text.toLowerCase(Locale.ROOT));
        try {
            if (matcher.matches()) {
                long number = Long.parseLong(matcher.group(1));
                return Optional.of(
                        switch (matcher.group(2)) {
                            case "ms" -> Duration.ofMillis(number);
                            case "s" -> Duration.ofSeconds(number);
                            case "m" -> Duration.ofMinutes(number);
                            case "h" -> Duration.ofHours(number);
                            default -> Duration.ofDays(number);
                        });
            }
            return Optional.of(Duration.parse(text));
        } catch (DateTimeParseException | NumberFormatException | ArithmeticException e) {
            return Optional.empty();
        }
    }
}
