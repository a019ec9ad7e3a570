package dev.shelfmark.compat.model;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Replays sequences on a subject. May be used by several threads when its sequences do not restart brokers. */
public final class ModelCheck {

    private final ModelSubject subject;
    private final SequenceGenerator.Features features;
    private final Map<KnownDifference, Long> differences = new EnumMap<>(KnownDifference.class);

    /**
     * A check of a subject.
     *
     * @param restarts whether brokers are restarted in the middle
     * @param zombies whether the broker that does not lead reports too; the leader must then trust its memory for no time
     */
    public ModelCheck(ModelSubject subject, boolean restarts, boolean zombies) {
        this.subject = subject;
        this.features = new SequenceGenerator.Features(restarts, zombies);
    }

    /**
     * Replays the sequence of a seed.
     *
     * @throws AssertionError on a difference that is none of the known ones, with the smallest sequence that shows it
     */
    public void check(long seed) {
        List<Operation> sequence = SequenceGenerator.sequence(seed, features);
        Optional<Mismatch> mismatch = run(this::count).replay(sequence);
        if (mismatch.isEmpty()) {
            return;
        }
        List<Operation> smallest = Shrinker.shrink(
                sequence, less -> run(ignored -> {}).replay(less).isPresent());
        Mismatch shown = run(ignored -> {}).replay(smallest).orElse(mismatch.get());
        throw new AssertionError(shown.report(seed, smallest));
    }

    private ModelRun run(Consumer<KnownDifference> met) {
        return new ModelRun(subject, !features.zombies(), met);
    }

    private synchronized void count(KnownDifference difference) {
        differences.merge(difference, 1L, Long::sum);
    }

    /** How often each known difference was met so far. */
    public synchronized Map<KnownDifference, Long> differences() {
        return new EnumMap<>(differences);
    }
}
