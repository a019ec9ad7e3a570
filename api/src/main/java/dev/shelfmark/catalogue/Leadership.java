package dev.shelfmark.catalogue;

import dev.shelfmark.store.PartitionKey;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which partitions this broker leads, as its controller told it, and since when. Never blocks. */
final class Leadership {

    private final Map<PartitionKey, Term> terms = new ConcurrentHashMap<>();

    /** A time for which a partition is led; whoever holds on to it sees when it is over. */
    static final class Term {
        private final long sinceNanos = System.nanoTime();
        private volatile boolean over;

        /** When it began, by {@link System#nanoTime()}. */
        long sinceNanos() {
            return sinceNanos;
        }

        boolean over() {
            return over;
        }
    }

    /** Leads these from now on. Told again of one that it leads, it may have lost it in between: it counts anew. */
    void leads(Set<PartitionKey> partitions) {
        partitions.forEach(key -> end(terms.put(key, new Term())));
    }

    /** Does not lead these. */
    void leadsNoMore(Set<PartitionKey> partitions) {
        partitions.forEach(key -> end(terms.remove(key)));
    }

    private static void end(@Nullable Term term) {
        if (term != null) {
            term.over = true;
        }
    }

    /** The term of a partition that is led; null when it is not. */
    @Nullable
    Term term(PartitionKey key) {
        return terms.get(key);
    }

    /** Since when a partition is led, by {@link System#nanoTime()}; empty when it is not. */
    OptionalLong ledSince(PartitionKey key) {
        Term term = terms.get(key);
        return term == null ? OptionalLong.empty() : OptionalLong.of(term.sinceNanos());
    }

    int size() {
        return terms.size();
    }
}
