package dev.shelfmark.tool.setup.plan;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of bytes as people type it: {@code 1073741824}, {@code 500MB}, {@code 1.5GiB}. */
final class ByteCount implements ITypeConverter<Double> {

    private static final Pattern TEXT =
            Pattern.compile("([0-9]+(?:\\.[0-9]+)?)([kmgt]i?)?b?", Pattern.CASE_INSENSITIVE);
    /** Each is the one before it times 1000, or 1024. */
    private static final String UNITS = "kmgt";

    @Override
    public Double convert(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (!matcher.matches()) {
            throw new TypeConversionException(
                    "'" + text + "' is not a number of bytes: write 1073741824, 500MB or 1GiB");
        }
        String unit = matcher.group(2);
        double number = Double.parseDouble(matcher.group(1));
        if (unit == null) {
            return number;
        }
        int power = 1 + UNITS.indexOf(unit.toLowerCase(Locale.ROOT).charAt(0));
        return number * Math.pow(unit.length() == 2 ? 1024 : 1000, power);
    }
}
