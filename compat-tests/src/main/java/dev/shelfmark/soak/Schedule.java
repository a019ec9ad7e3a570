package dev.shelfmark.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** What is done when: the same for the same seed. */
record Schedule(List<Step> steps) {

    /** The first seconds belong to the traffic alone, and the last ones: what was begun must be able to end. */
    private static final Duration QUIET = Duration.ofSeconds(8);

    Schedule {
        steps = List.copyOf(steps);
    }

    static Schedule of(long seed, Duration length, boolean postgres) {
        List<Step> steps = new ArrayList<>();
        for (Step.Lane lane : Step.Lane.values()) {
            List<Step.Action> actions = Arrays.stream(Step.Action.values())
                    .filter(action -> action.lane() == lane && (postgres || !action.postgres()))
                    .toList();
            Random random = new Random(seed * 31 + lane.name().hashCode());
            long at = QUIET.toMillis();
            while (at < length.minus(QUIET).toMillis()) {
                Step.Action action = actions.get(random.nextInt(actions.size()));
                long lasting = 500L + random.nextInt(6_000);
                steps.add(new Step(Duration.ofMillis(at), Duration.ofMillis(lasting), action, random.nextInt(1_000)));
                at += lasting + (lane == Step.Lane.BROKERS ? 5_000 : 1_500) + random.nextInt(5_000);
            }
        }
        steps.sort(Comparator.comparing(Step::at));
        return new Schedule(steps);
    }

    List<Step> of(Step.Lane lane) {
        return steps.stream().filter(step -> step.action().lane() == lane).toList();
    }
}
