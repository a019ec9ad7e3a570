package dev.shelfmark.catalogue.index;

import java.util.Arrays;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * From a segment's id to the start offsets it may have: what an update needs, which names a segment by its id alone. Ids are not kept;
 * the caller checks candidates against the chunks. One long a slot, where a map of objects would double the index's size. Used by one
 * thread at a time.
 */
final class SegmentIds {

    private static final long FREE = -1;
    private static final long REMOVED = -2;
    private static final double MAX_LOAD = 0.6;

    private long[] slots = new long[8];
    private int used;
    private int size;

    SegmentIds() {
        Arrays.fill(slots, FREE);
    }

    /** A question about a candidate start offset. */
    @FunctionalInterface
    interface Candidate {
        /** Whether this is the one that is looked for. */
        boolean matches(long startOffset);
    }

    /** Takes ids: all of those remembered. */
    @FunctionalInterface
    interface Sink {
        void accept(UUID id, long startOffset);
    }

    /**
     * Makes room for more ids.
     *
     * @param more how many
     * @param remembered hands over all that were added and not removed; asked only when the slots must grow
     */
    void reserve(int more, Consumer<Sink> remembered) {
        if (used + more <= slots.length * MAX_LOAD) {
            return;
        }
        slots = new long[(int) ((size + more) / MAX_LOAD * 1.5) + 8];
        Arrays.fill(slots, FREE);
        used = 0;
        size = 0;
        remembered.accept(this::add);
    }

    /** Remembers an id that is not there yet; room was reserved. */
    void add(UUID id, long startOffset) {
        int slot = first(id);
        while (slots[slot] >= 0) {
            slot = next(slot);
        }
        if (slots[slot] == FREE) {
            used++;
        }
        slots[slot] = startOffset;
        size++;
    }

    /** The start offset of an id, or -1. */
    long find(UUID id, Candidate candidate) {
        int slot = slotOf(id, candidate);
        return slot < 0 ? FREE : slots[slot];
    }

    /** Forgets an id. */
    void remove(UUID id, Candidate candidate) {
        int slot = slotOf(id, candidate);
        if (slot >= 0) {
            slots[slot] = REMOVED;
            size--;
        }
    }

    private int slotOf(UUID id, Candidate candidate) {
        for (int slot = first(id); slots[slot] != FREE; slot = next(slot)) {
            if (slots[slot] >= 0 && candidate.matches(slots[slot])) {
                return slot;
            }
        }
        return -1;
    }

    private int first(UUID id) {
        // Ids are random, but nothing promises it: spread what they have.
        int hash = id.hashCode() * 0x9E3779B9;
        return (int) ((Integer.toUnsignedLong(hash) * slots.length) >>> Integer.SIZE);
    }

    private int next(int slot) {
        return slot + 1 == slots.length ? 0 : slot + 1;
    }
}
