package dev.shelfmark.tool.migrate.importing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.BulkLoader;
import dev.shelfmark.store.admin.PartitionLoad;
import dev.shelfmark.tool.console.ProgressListener;
import dev.shelfmark.tool.kafka.MemoryBrokers;
import dev.shelfmark.tool.kafka.SkipReason;
import dev.shelfmark.tool.migrate.importing.ImportFixture.Kept;
import dev.shelfmark.tool.migrate.verify.Difference;
import dev.shelfmark.tool.migrate.verify.Verification;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What must hold of an import of any history, however it is cut into runs. */
class TopicImportTest {

    private static final int EVENTS = 400;
    private static final int METADATA_PARTITIONS = 3;

    @TempDir
    private Path directory = Path.of("");

    static LongStream seeds() {
        return LongStream.range(0, Integer.getInteger("shelfmark.seeds", 12));
    }

    private static final class Killed extends RuntimeException {}

    /** A history, and what an import of the whole of it in one go makes of it. */
    private final class Whole {
        final MemoryBrokers brokers = new MemoryBrokers(ImportFixture.CLUSTER, METADATA_PARTITIONS);
        final RandomHistory history;
        final ImportFixture fixture = new ImportFixture(brokers, directory);
        final Map<PartitionKey, Kept> kept;
        final String tally;

        Whole(long seed) {
            history = new RandomHistory(seed, brokers, 3, 2);
            history.write(EVENTS);
            tally = fixture.runAll(EVENTS * 2).toJson();
            kept = fixture.kept(history.partitions());
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aPrefixAndThenFollowingTheRestIsTheWhole(long seed) {
        Whole whole = new Whole(seed);
        Random random = new Random(seed);
        ImportFixture parts = new ImportFixture(whole.brokers, directory);

        ImportCounters tally = parts.run(
                whole.brokers.upTo(random.nextInt(EVENTS)), true, 1 + random.nextInt(50), UnaryOperator.identity());

        assertThat(parts.kept(whole.history.partitions())).isEqualTo(whole.kept);
        assertThat(tally.toJson()).isEqualTo(whole.tally);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void killedAnywhereItResumesToTheSameRows(long seed) {
        Whole whole = new Whole(seed);
        Random random = new Random(seed);
        ImportFixture parts = new ImportFixture(whole.brokers, directory);
        int kills = 0;
        String tally = "";
        while (tally.isEmpty()) {
            try {
                // Another window each time: what was loaded must not depend on where windows begin.
                tally = parts.run(
                                whole.brokers.upTo(Long.MAX_VALUE),
                                false,
                                1 + random.nextInt(120),
                                loader -> new FaultyLoader(loader, random, 12, Killed::new, Killed::new))
                        .toJson();
            } catch (Killed e) {
                kills++;
            }
        }

        assertThat(kills).isPositive();
        assertThat(parts.kept(whole.history.partitions())).isEqualTo(whole.kept);
        assertThat(tally).isEqualTo(whole.tally);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aStoreThatFailsNowAndThenIsTriedAgain(long seed) {
        Whole whole = new Whole(seed);
        Random random = new Random(seed);
        ImportFixture parts = new ImportFixture(whole.brokers, directory);

        ImportCounters tally = parts.run(
                whole.brokers.upTo(Long.MAX_VALUE),
                false,
                60,
                loader -> new FaultyLoader(
                        loader,
                        random,
                        20,
                        () -> new StoreException.Unavailable("away", null),
                        () -> new StoreException.OutcomeUnknown("lost", null)));

        assertThat(parts.kept(whole.history.partitions())).isEqualTo(whole.kept);
        assertThat(tally.toJson()).isEqualTo(whole.tally);
    }

    /** Of a store whose atomic changes are limited in size too. */
    private static final class Narrow extends WatchedLoader {
        private static final long MOST = 3L * EPOCH_BYTES;
        private long severalSegments;

        Narrow(BulkLoader loader) {
            super(loader);
        }

        @Override
        public long maxBytesPerLoad() {
            return MOST;
        }

        @Override
        public LoadResult load(List<PartitionLoad> loads) {
            for (PartitionLoad load : loads) {
                long epochs = load.added().stream()
                        .mapToLong(segment -> segment.leaderEpochs().size())
                        .sum();
                if (load.size() > 1) {
                    severalSegments++;
                    assertThat(epochs * EPOCH_BYTES)
                            .as("bytes of the leader epochs in one load")
                            .isLessThanOrEqualTo(MOST);
                }
            }
            return super.load(loads);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void itIsCutToWhatTheStoreTakesAtOnce(long seed) {
        Whole whole = new Whole(seed);
        ImportFixture parts = new ImportFixture(whole.brokers, directory);
        List<Narrow> loaders = new ArrayList<>();

        ImportCounters tally = parts.run(whole.brokers.upTo(Long.MAX_VALUE), false, EVENTS * 2, loader -> {
            loaders.add(new Narrow(loader));
            return loaders.get(0);
        });

        assertThat(parts.kept(whole.history.partitions())).isEqualTo(whole.kept);
        assertThat(tally.toJson()).isEqualTo(whole.tally);
        assertThat(loaders.get(0).severalSegments).isPositive();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void kafkasOwnCacheGivesTheSameAnswers(long seed) {
        Whole whole = new Whole(seed);
        List<Difference> differences = new ArrayList<>();
        Verification verification = verified(whole, Long.MAX_VALUE, differences);

        assertThat(differences).filteredOn(found -> !found.kind().expected()).isEmpty();
        assertThat(verification.same()).isEqualTo(whole.history.partitions().size());
        assertThat(verification.movedOn()).isZero();
        assertThat(verification.questions()).isGreaterThan(200);
    }

    /** As it is when an import goes on that is further than the ends that were asked for. */
    @ParameterizedTest
    @MethodSource("seeds")
    void whatCameAfterTheEndsIsNoDifference(long seed) {
        Whole whole = new Whole(seed);
        List<Difference> differences = new ArrayList<>();
        Verification verification = verified(whole, new Random(seed).nextInt(5), differences);

        assertThat(differences).filteredOn(found -> !found.kind().expected()).isEmpty();
        assertThat(verification.newSince()).isZero();
        assertThat(verification.same() + verification.movedOn())
                .as("partitions of which there were events")
                .isLessThan(whole.history.partitions().size());
    }

    private static Verification verified(Whole whole, long records, List<Difference> differences) {
        Verification verification = new Verification(
                whole.fixture.store,
                whole.fixture.listing(),
                whole.brokers,
                whole.brokers.upTo(records),
                new NoListener(),
                () -> false,
                differences::add);
        verification.run();
        return verification;
    }

    /** Otherwise the histories would be too tame to prove anything. */
    @ParameterizedTest
    @MethodSource("seeds")
    void theHistoriesHoldEveryAccident(long seed) {
        Whole whole = new Whole(seed);
        ImportCounters tally = ImportCounters.fromJson(whole.tally);
        Set<SkipReason> reasons = EnumSet.noneOf(SkipReason.class);
        reasons.addAll(tally.unusable().keySet());
        tally.topics().values().forEach(topic -> reasons.addAll(topic.dropped().keySet()));

        assertThat(reasons)
                .contains(
                        SkipReason.TOMBSTONE,
                        SkipReason.FINISHED_WITHOUT_START,
                        SkipReason.ILLEGAL_TRANSITION,
                        SkipReason.DELETION_OF_UNKNOWN);
    }

    private static final class NoListener implements ProgressListener {
        @Override
        public void begins(long records) {}

        @Override
        public void read(long records) {}

        @Override
        public void caughtUp() {}

        @Override
        public void behind(long records) {}

        @Override
        public void retries(String reason) {}
    }
}
