package dev.shelfmark.jdbc;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What is logged while it is open, at the level of warnings and above; see {@code simplelogger.properties}. */
final class CapturedLog implements AutoCloseable {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    CapturedLog() {
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    }

    String text() {
        return written.toString(StandardCharsets.UTF_8);
    }

    List<String> lines(String part) {
        return text().lines().filter(line -> line.contains(part)).toList();
    }

    @Override
    public void close() {
        System.setErr(before);
    }
}
