package dev.shelfmark.dynamodb.partition;

import dev.shelfmark.dynamodb.items.HeadItem;
import dev.shelfmark.dynamodb.items.HighestItem;
import dev.shelfmark.dynamodb.items.Item;
import dev.shelfmark.dynamodb.items.ItemKeys;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * A head and all highest offsets, read in one query and therefore not at one moment.
 *
 * @param head the head, {@link HeadItem#NEW} when there is none
 * @param highest by epoch; may be added to
 * @param whole whether the highest offsets are those of the head's version
 */
record HeadAndHighest(HeadItem head, NavigableMap<Integer, Long> highest, boolean whole) {

    /** Takes the items in the order of the query: the head is the first. */
    static final class Builder {

        private final UnaryOperator<HeadItem> known;
        private HeadItem head = HeadItem.NEW;
        private final NavigableMap<Integer, Long> highest = new TreeMap<>();
        private int ofLastCommit;
        private boolean later;

        /** @param known tells what is known of a head */
        Builder(UnaryOperator<HeadItem> known) {
            this.known = known;
        }

        void add(Item item) {
            if (!HighestItem.is(item)) {
                head = known.apply(HeadItem.parse(item));
                return;
            }
            long version = item.number(ItemKeys.VERSION);
            later |= version > head.version();
            if (version > head.from()) {
                ofLastCommit++;
            }
            HighestItem.mergeInto(highest, item);
        }

        HeadAndHighest build() {
            return new HeadAndHighest(head, highest, !later && ofLastCommit == head.highest());
        }
    }
}
