package dev.shelfmark.compat;

import dev.shelfmark.compat.model.ModelCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The model check on the plugin on top of a store. {@code -Dcompat.model.seed} chooses where the seeds begin, {@code -Dcompat.model.sequences}
 * how many there are.
 */
@DisplayName("Model check: every answer is Kafka's, or differs in a way that is named and verified")
public abstract class ModelContract extends StoreContract {

    private static final long FIRST_SEED = Long.getLong("compat.model.seed", 1);
    private static final int SEQUENCES = Integer.getInteger("compat.model.sequences", 0);

    protected ModelContract(StoreBackEnd backEnd) {
        super(backEnd);
    }

    /** How many sequences each test replays; a store that is quick can afford more. */
    protected int sequences() {
        return 6;
    }

    private int count() {
        return SEQUENCES > 0 ? SEQUENCES : sequences();
    }

    private static void check(ModelCheck check, long firstSeed, int count) {
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            check.check(seed);
        }
    }

    @Test
    @DisplayName("Leadership moves, leaders restart and forget; the leader answers from memory")
    void inTurns() {
        PluginPair brokers = closeLater(new PluginPair(harness(), newCluster(), Map.of()));
        check(new ModelCheck(brokers, true, false), FIRST_SEED, count());
    }

    @Test
    @DisplayName("Both brokers report; with no staleness allowed a leader misses nothing of the other's")
    void zombies() {
        PluginPair brokers =
                closeLater(new PluginPair(harness(), newCluster(), Map.of("cache.leader.max.staleness.ms", "0")));
        check(new ModelCheck(brokers, false, true), FIRST_SEED + 100_000, count());
    }

    @Test
    @DisplayName("Several partitions at once don't disturb each other")
    void severalPartitions() throws Exception {
        PluginPair brokers = closeLater(new PluginPair(harness(), newCluster(), Map.of()));
        ModelCheck check = new ModelCheck(brokers, false, false);
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            long first = FIRST_SEED + 200_000 + thread * 10_000L;
            tasks.add(() -> {
                check(check, first, 1 + count() / 4);
                return 0;
            });
        }
        Together.run(tasks);
    }
}
