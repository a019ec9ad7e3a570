package dev.shelfmark.tool.audit.walk;

import dev.shelfmark.kafka.NearestName;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.CatalogueListing.Found;
import dev.shelfmark.store.admin.CatalogueListing.Kept;
import dev.shelfmark.store.admin.CatalogueListing.Listed;
import dev.shelfmark.store.admin.CatalogueListing.Page;
import dev.shelfmark.store.admin.CatalogueListing.Unreadable;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.store.admin.RecordedChange;
import dev.shelfmark.tool.failure.ToolFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Goes through the pages of a listing, one at a time; what was passed is not kept. */
public final class CatalogueWalk {

    private static final int SOME_NAMES = 8;

    private final CatalogueListing listing;
    private final PartitionFilter filter;
    private final int pageSize;
    private final BooleanSupplier stopped;
    private final Runnable onPage;
    private long partitions;
    private long segments;
    private long changes;

    /**
     * A walk over a listing.
     *
     * @param filter which partitions
     * @param pageSize how many rows a request asks for, at most
     * @param stopped asked before each page whether to give up
     */
    public CatalogueWalk(
            CatalogueListing listing,
            PartitionFilter filter,
            int pageSize,
            BooleanSupplier stopped,
            Consumer<CatalogueWalk> onPage) {
        this.listing = listing;
        this.filter = filter;
        this.pageSize = pageSize;
        this.stopped = stopped;
        this.onPage = () -> onPage.accept(this);
    }

    /** How many partitions were passed. */
    public long partitions() {
        return partitions;
    }

    /** How many segments were passed. */
    public long segments() {
        return segments;
    }

    /** How many changes were passed. */
    public long changes() {
        return changes;
    }

    /**
     * The clusters that the filter is about: the one that it names, or all that are registered.
     *
     * @throws ToolFailure when it names one that is not registered
     */
    public List<String> clusters() {
        List<String> registered =
                listing.clusters().stream().map(ClusterRecord::clusterId).toList();
        String wanted = filter.cluster();
        if (wanted == null) {
            return registered;
        }
        if (!registered.contains(wanted)) {
            throw ToolFailure.refused("the catalogue knows no cluster '" + wanted + "'; it has "
                    + (registered.isEmpty() ? "none" : some(registered)) + ": choose with --cluster");
        }
        return List.of(wanted);
    }

    /**
     * Hands over the partitions that the filter lets pass, cluster after cluster. Rows that can't be read are handed over as well, since
     * nobody can tell whether they would pass.
     *
     * @throws ToolFailure when there are partitions, but none passes
     */
    public void partitions(Consumer<PartitionSummary> readable, Consumer<UnreadablePartition> unreadable) {
        Set<String> names = new TreeSet<>();
        boolean passed = false;
        for (String cluster : clusters()) {
            List<Boolean> found = new ArrayList<>();
            pages(after -> listing.partitions(cluster, after, pageSize), item -> {
                if (item instanceof Unreadable<PartitionSummary> row) {
                    unreadable.accept(new UnreadablePartition(cluster, row.id(), row.reason()));
                } else if (item instanceof Found<PartitionSummary> row) {
                    if (filter.passes(row.value())) {
                        partitions++;
                        if (found.isEmpty()) {
                            found.add(true);
                        }
                        readable.accept(row.value());
                    } else {
                        names.add(row.value().topicName());
                    }
                }
            });
            passed |= !found.isEmpty();
        }
        if (!passed && !names.isEmpty()) {
            throw ToolFailure.refused(nothingPasses(names));
        }
    }

    private String nothingPasses(Set<String> names) {
        String meant = filter.topic() == null || names.contains(filter.topic())
                ? ""
                : NearestName.of(filter.topic(), names)
                        .map(nearest -> "; did you mean '" + nearest + "'?")
                        .orElse("");
        return "no partition in the catalogue matches " + filter + meant
                + (meant.isEmpty() ? "; it has topics " : " It has ") + some(List.copyOf(names));
    }

    private static String some(List<String> names) {
        String first = String.join(", ", names.subList(0, Math.min(SOME_NAMES, names.size())));
        return names.size() > SOME_NAMES ? first + " and " + (names.size() - SOME_NAMES) + " more" : first;
    }

    /** Hands over the segments of a partition. */
    public void segments(
            PartitionKey key,
            Kept kept,
            Consumer<SegmentRecord> readable,
            Consumer<Unreadable<SegmentRecord>> unreadable) {
        pages(after -> listing.segments(key, kept, after, pageSize), item -> {
            segments++;
            if (item instanceof Unreadable<SegmentRecord> row) {
                unreadable.accept(row);
            } else if (item instanceof Found<SegmentRecord> row) {
                readable.accept(row.value());
            }
        });
    }

    /** Hands over the changes of a partition that are kept, oldest first. */
    public void history(
            PartitionKey key, Consumer<RecordedChange> readable, Consumer<Unreadable<RecordedChange>> unreadable) {
        pages(after -> listing.history(key, after, pageSize), item -> {
            changes++;
            if (item instanceof Unreadable<RecordedChange> row) {
                unreadable.accept(row);
            } else if (item instanceof Found<RecordedChange> row) {
                readable.accept(row.value());
            }
        });
    }

    private <T> void pages(Function<@Nullable String, Page<T>> pages, Consumer<Listed<T>> items) {
        String after = null;
        do {
            if (stopped.getAsBoolean()) {
                throw ToolFailure.refused("stopped before the end");
            }
            Page<T> page = pages.apply(after);
            page.items().forEach(items);
            after = page.next();
            onPage.run();
        } while (after != null);
    }

    /**
     * The row of a partition that can't be understood.
     *
     * @param clusterId its cluster
     * @param id its topic id and number
     * @param reason why
     */
    public record UnreadablePartition(String clusterId, String id, String reason) {}
}
