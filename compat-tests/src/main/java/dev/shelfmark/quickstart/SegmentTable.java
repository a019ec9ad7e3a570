package dev.shelfmark.quickstart;

import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.TextualId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A partition's records in the catalogue as a table: the first and the last of them when they are many. */
final class SegmentTable {

    private static final int FIRST = 4;
    private static final int LAST = 2;
    private static final String FORMAT = "%-22s  %13s  %-21s  %6s  %-8s  %s";

    private SegmentTable() {}

    static List<String> of(List<SegmentRecord> records) {
        List<SegmentRecord> sorted = records.stream()
                .sorted(Comparator.comparingLong(SegmentRecord::startOffset))
                .toList();
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                FORMAT, "segment", "offsets", "state", "bytes", "epochs", "custom metadata of the storage"));
        int hidden = sorted.size() - FIRST - LAST;
        for (int i = 0; i < sorted.size(); i++) {
            if (hidden > 0 && i == FIRST) {
                lines.add("... " + hidden + " more ...");
            }
            if (hidden <= 0 || i < FIRST || i >= sorted.size() - LAST) {
                lines.add(line(sorted.get(i)));
            }
        }
        return lines;
    }

    private static String line(SegmentRecord record) {
        CustomMetadata custom = record.customMetadata();
        return String.format(
                Locale.ROOT,
                FORMAT,
                TextualId.of(record.segmentId()),
                record.startOffset() + "-" + record.endOffset(),
                record.state(),
                record.sizeInBytes(),
                record.leaderEpochs(),
                custom == null ? "" : new String(custom.bytes(), StandardCharsets.US_ASCII));
    }
}
