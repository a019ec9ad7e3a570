package dev.shelfmark.tool.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** However files are split, each record is there once, and those of one segment meet in one file, in their order. */
class SpillFilesTest {

    private static final int IDS = 3_000;
    private static final int RECORDS = 10_000;
    private static final int HELD = 1_000;

    @TempDir
    private Path directory = Path.of("");

    private final Random random = new Random(7);
    private final Map<UUID, List<Integer>> written = new HashMap<>();
    private final Map<UUID, List<Integer>> read = new HashMap<>();
    private int splits;

    @Test
    void eachRecordIsReadOnceAndInOrder() throws Exception {
        List<UUID> ids = Stream.generate(() -> new UUID(random.nextLong(), random.nextLong()))
                .limit(IDS)
                .toList();
        try (SpillFiles files = new SpillFiles(directory, "test")) {
            for (int i = 0; i < RECORDS; i++) {
                int number = i;
                // One segment has more than can be held, and can't be parted.
                UUID id = i % 10 == 0 ? ids.get(0) : ids.get(random.nextInt(IDS));
                files.add(id, out -> out.writeInt(number));
                written.computeIfAbsent(id, unused -> new ArrayList<>()).add(number);
            }
            readAll(files);
        }

        assertThat(read).isEqualTo(written);
        assertThat(splits).isGreaterThan(64);
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    private void readAll(SpillFiles files) {
        for (int file = 0; file < files.count(); file++) {
            if (files.size(file) > HELD && files.divisible()) {
                splits++;
                try (SpillFiles parts = files.split(file, files.size(file) / HELD)) {
                    assertThat(parts.count()).isGreaterThan(1);
                    readAll(parts);
                }
            } else {
                Map<UUID, List<Integer>> met = new HashMap<>();
                files.read(
                        file,
                        id -> in -> met.computeIfAbsent(id, unused -> new ArrayList<>())
                                .add(in.readInt()));
                met.forEach((id, numbers) ->
                        assertThat(read.put(id, numbers)).as("elsewhere, too").isNull());
            }
        }
    }
}
