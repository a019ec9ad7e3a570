package dev.shelfmark.tool.storage.layout;

import dev.shelfmark.store.LeaderEpochs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Kafka's leader-epoch checkpoint, which is uploaded with a segment: the lines {@code 0}, a count, and so many times an epoch and the offset
 * at which it begins.
 */
final class EpochCheckpoint {

    private static final String VERSION = "0";

    private final NavigableMap<Integer, Long> startByEpoch;

    private EpochCheckpoint(NavigableMap<Integer, Long> startByEpoch) {
        this.startByEpoch = startByEpoch;
    }

    static EpochCheckpoint read(InputStream in) throws IOException, UnreadableSegmentException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        String version = line(lines);
        if (!version.equals(VERSION)) {
            throw new UnreadableSegmentException("its leader-epoch checkpoint is of version '" + version
                    + "', and this build knows version '" + VERSION + "' only");
        }
        NavigableMap<Integer, Long> epochs = new TreeMap<>();
        try {
            int count = Integer.parseInt(line(lines));
            for (int i = 0; i < count; i++) {
                String[] entry = line(lines).split("\\s+");
                if (entry.length != 2) {
                    throw new UnreadableSegmentException(
                            "its leader-epoch checkpoint has the line '" + String.join(" ", entry) + "'");
                }
                epochs.put(Integer.parseInt(entry[0]), Long.parseLong(entry[1]));
            }
        } catch (NumberFormatException e) {
            throw new UnreadableSegmentException("its leader-epoch checkpoint holds no number: " + e.getMessage(), e);
        }
        return new EpochCheckpoint(epochs);
    }

    private static String line(BufferedReader lines) throws IOException, UnreadableSegmentException {
        String line = lines.readLine();
        if (line == null) {
            throw new UnreadableSegmentException("its leader-epoch checkpoint is cut short");
        }
        return line.strip();
    }

    /**
     * The epochs within a segment. Those that begin above its end belong to later ones; of those that begin at or below its start the last is the
     * one that the segment begins in.
     */
    LeaderEpochs within(long startOffset, long endOffset) throws UnreadableSegmentException {
        NavigableMap<Integer, Long> within = new TreeMap<>();
        Integer first = null;
        for (Map.Entry<Integer, Long> entry : startByEpoch.entrySet()) {
            if (entry.getValue() <= startOffset) {
                first = entry.getKey();
            } else if (entry.getValue() <= endOffset) {
                within.put(entry.getKey(), entry.getValue());
            }
        }
        if (first == null) {
            throw new UnreadableSegmentException("its leader-epoch checkpoint " + startByEpoch
                    + " does not tell the epoch of its start offset " + startOffset);
        }
        within.put(first, startOffset);
        return LeaderEpochs.of(within);
    }
}
