package dev.shelfmark.tool.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;

/** Values of plain maps and lists as JSON. */
public final class Json {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    /** Indented, for people and scripts. */
    public static String pretty(Object value) {
        return write(MAPPER.writerWithDefaultPrettyPrinter(), value);
    }

    /** On one line. */
    public static String line(Object value) {
        return write(MAPPER.writer(), value);
    }

    private static String write(ObjectWriter writer, Object value) {
        try {
            return writer.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not a value for JSON: " + value.getClass(), e);
        }
    }
}
