package dev.shelfmark.tool.storage;

import dev.shelfmark.tool.failure.FileErrors;
import dev.shelfmark.tool.failure.ToolFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A listing that somebody made before, line by line.
 *
 * <ul>
 *   <li>{@code aws s3 ls --recursive}: {@code 2026-05-03 10:15:30      12345 tier/orders-…}, in the local time zone.
 *   <li>Comma-separated values: with a header line that names {@code key}, {@code size} and {@code lastModified} in any order, or an S3
 *       inventory without one, whose fields are quoted and whose keys are URL-encoded: bucket, key, size, last modified.
 * </ul>
 */
public final class TextListing implements ObjectListing {

    private static final Pattern LS = Pattern.compile("(\\d{4}-\\d{2}-\\d{2}) (\\d{2}:\\d{2}:\\d{2})\\s+(\\d+) (.+)");

    private final String name;
    private final Reader reader;
    private final ZoneId zone;

    private int keyColumn = 1;
    private int sizeColumn = 2;
    private int modifiedColumn = 3;
    private boolean encodedKeys = true;

    /**
     * A listing to be read once.
     *
     * @param name for messages
     * @param reader the lines; closed by who opened it
     * @param zone of times without a zone
     */
    public TextListing(String name, Reader reader, ZoneId zone) {
        this.name = name;
        this.reader = reader;
        this.zone = zone;
    }

    @Override
    public void forEach(Consumer<StoredObject> objects) {
        try (BufferedReader lines = new BufferedReader(reader)) {
            long number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank() && !(number == 1 && header(line))) {
                    objects.accept(parse(line, number));
                }
            }
        } catch (IOException e) {
            throw ToolFailure.usage("can't read the listing " + name + ": " + FileErrors.reason(e), e);
        }
    }

    /** Whether this is a line of column names, which are then taken. */
    private boolean header(String line) {
        List<String> names = fields(line).stream()
                .map(field -> field.strip().toLowerCase(Locale.ROOT).replace("_", ""))
                .toList();
        int key = names.indexOf("key");
        if (key < 0) {
            return false;
        }
        keyColumn = key;
        sizeColumn = names.indexOf("size");
        modifiedColumn = Math.max(names.indexOf("lastmodified"), names.indexOf("lastmodifieddate"));
        encodedKeys = false;
        return true;
    }

    private StoredObject parse(String line, long number) {
        Matcher ls = LS.matcher(line);
        try {
            if (ls.matches()) {
                return new StoredObject(
                        ls.group(4), Long.parseLong(ls.group(3)), moment(ls.group(1) + "T" + ls.group(2)));
            }
            List<String> fields = fields(line);
            if (fields.size() > keyColumn && fields.size() > 1) {
                String key = fields.get(keyColumn);
                String size = field(fields, sizeColumn);
                String modified = field(fields, modifiedColumn);
                return new StoredObject(
                        encodedKeys ? URLDecoder.decode(key, StandardCharsets.UTF_8) : key,
                        size.isEmpty() ? 0 : Long.parseLong(size),
                        modified.isEmpty() ? null : moment(modified));
            }
        } catch (NumberFormatException | DateTimeParseException e) {
            throw malformed(number, e);
        }
        throw malformed(number, null);
    }

    private ToolFailure malformed(long number, @Nullable RuntimeException cause) {
        return ToolFailure.usage(
                "line " + number + " of the listing " + name + " is neither of 'aws s3 ls --recursive' nor of an S3"
                        + " inventory, nor CSV with a header line that names key, size and lastModified",
                cause == null ? new IllegalArgumentException("unknown form") : cause);
    }

    private static String field(List<String> fields, int column) {
        return column >= 0 && column < fields.size() ? fields.get(column).strip() : "";
    }

    private Instant moment(String text) {
        if (text.endsWith("Z")) {
            return Instant.parse(text);
        }
        return LocalDateTime.parse(text.replace(' ', 'T')).atZone(zone).toInstant();
    }

    /** The fields of a line of RFC 4180. */
    public static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"' && quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                field.append('"');
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString());
        return fields;
    }
}
