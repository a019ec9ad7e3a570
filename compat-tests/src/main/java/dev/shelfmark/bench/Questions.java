package dev.shelfmark.bench;

import java.util.Random;

/** Lookups to make, thought of beforehand. */
final class Questions {

    private final int[] partitions;
    private final long[] offsets;

    private Questions(int count) {
        partitions = new int[count];
        offsets = new long[count];
    }

    /** Any offset of any partition. */
    static Questions random(Layout layout, int count, long seed) {
        Random random = new Random(seed);
        Questions questions = new Questions(count);
        for (int i = 0; i < count; i++) {
            questions.partitions[i] = random.nextInt(layout.partitions());
            questions.offsets[i] = layout.firstOffset() + (long) (random.nextDouble() * layout.live() * Layout.OFFSETS);
        }
        return questions;
    }

    /** A consumer that reads one partition after the other from the beginning, a few fetches for each segment. */
    static Questions sequential(Layout layout, int count) {
        int step = Layout.OFFSETS / 4;
        Questions questions = new Questions(count);
        int partition = 0;
        long offset = layout.firstOffset();
        for (int i = 0; i < count; i++) {
            questions.partitions[i] = partition;
            questions.offsets[i] = offset;
            offset += step;
            if (offset >= layout.nextOffset()) {
                offset = layout.firstOffset();
                partition = (partition + 1) % layout.partitions();
            }
        }
        return questions;
    }

    int count() {
        return partitions.length;
    }

    int partition(int i) {
        return partitions[i];
    }

    long offset(int i) {
        return offsets[i];
    }
}
