package dev.shelfmark.tool.mend.rebuild;

import dev.shelfmark.tool.storage.SpillFiles;
import java.util.function.BiConsumer;

/** Goes through spilled records in pieces that fit into memory; all records of one id are in one piece. */
final class SpilledGroups {

    /** So many bytes are read at once; in memory they take some times as much. */
    private static final long MOST_HELD = 4 * 1024 * 1024;

    private SpilledGroups() {}

    /** @param piece takes the number of a file to read, and the files that it is one of */
    static void each(SpillFiles files, BiConsumer<SpillFiles, Integer> piece) {
        for (int file = 0; file < files.count(); file++) {
            long size = files.size(file);
            if (size == 0) {
                continue;
            }
            if (size <= MOST_HELD || !files.divisible()) {
                piece.accept(files, file);
            } else {
                try (SpillFiles parts = files.split(file, 2 * size / MOST_HELD)) {
                    each(parts, piece);
                }
            }
        }
    }
}
