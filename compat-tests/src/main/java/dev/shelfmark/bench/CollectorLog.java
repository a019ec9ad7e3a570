package dev.shelfmark.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The log of a JVM's garbage collector. */
final class CollectorLog {

    private static final Pattern PAUSE = Pattern.compile("Pause .* (\\d+)M->(\\d+)M\\(");

    private CollectorLog() {}

    /** The option that has it written to a file. */
    static String option(Path file) {
        return "-Xlog:gc:file=" + file + ":none:filecount=0";
    }

    /** The most that a collection has left alive, in MiB. */
    static double peakMib(Path file) {
        try {
            double peak = 0;
            for (String line : Files.readAllLines(file)) {
                Matcher pause = PAUSE.matcher(line);
                if (pause.find()) {
                    peak = Math.max(peak, Double.parseDouble(pause.group(2)));
                }
            }
            return peak;
        } catch (IOException e) {
            throw new UncheckedIOException("can't read " + file, e);
        }
    }
}
