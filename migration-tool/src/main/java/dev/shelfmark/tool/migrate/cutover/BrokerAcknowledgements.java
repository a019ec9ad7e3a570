package dev.shelfmark.tool.migrate.cutover;

import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.BrokerHeartbeat;
import dev.shelfmark.store.BrokerHeartbeat.Mode;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState.Truth;
import dev.shelfmark.store.StoreException;
import dev.shelfmark.store.admin.StoreAdministration;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.Brokers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.common.errors.RetriableException;
import org.jspecify.annotations.Nullable;

/**
 * Whether every broker of a cluster acts on a revision of its record. The controller says who is a broker and who serves; each broker says in its
 * heartbeat what it acts on. Nothing depends on a clock but the wait for leases, and that on this process's own.
 */
public final class BrokerAcknowledgements {

    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);
    /** Several of the heartbeats that a broker on the bridge writes each second. */
    private static final Duration NO_CHANCE = Duration.ofSeconds(5);

    private static final Duration MARGIN = Duration.ofSeconds(2);

    private final Brokers cluster;
    private final StoreAdministration administration;
    private final String clusterId;
    private final Set<Integer> absent;
    private final Consumer<String> lines;
    private final BooleanSupplier stopped;
    private final Map<Integer, String> seenBefore = new HashMap<>();
    private final Map<Integer, Pulse> pulses = new HashMap<>();
    private final Map<Long, Long> knownSince = new HashMap<>();

    /**
     * Of one cluster.
     *
     * @param absent brokers that are down and will come back in bridge mode or never: somebody vouches for it
     * @param lines takes what is waited for, for people
     * @param stopped turns true when nobody wants to wait any more
     */
    public BrokerAcknowledgements(
            Brokers cluster,
            StoreAdministration administration,
            String clusterId,
            Set<Integer> absent,
            Consumer<String> lines,
            BooleanSupplier stopped) {
        this.cluster = cluster;
        this.administration = administration;
        this.clusterId = clusterId;
        this.absent = absent;
        this.lines = lines;
        this.stopped = stopped;
    }

    /** Takes a look at the heartbeats, for {@link #objections} and {@link #awaitStill} to see which go on since. */
    public void look() {
        administration.heartbeats(clusterId).forEach(beat -> seenBefore.put(beat.brokerId(), pulse(beat)));
    }

    /**
     * The last heartbeat of a broker that this process has seen.
     *
     * @param nanos when it saw it first
     */
    private record Pulse(String value, long nanos) {}

    private static String pulse(BrokerHeartbeat beat) {
        return beat.incarnation() + " " + beat.beats();
    }

    /** What speaks against a switch from a record that is not draining, a line each; {@link #look} was called a while ago. */
    public List<String> objections(ClusterRecord record) {
        Map<Integer, BrokerHeartbeat> beats = beats();
        List<String> objections = new ArrayList<>();
        cluster.registeredBrokers().forEach((id, serves) -> {
            BrokerHeartbeat beat = beats.get(id);
            if (!serves) {
                // Of the topic only: a broker with the plugin asks the catalogue before it answers from it.
                if (record.state().truth() == Truth.TOPIC
                        && !absent.contains(id)
                        && (beat == null || beat.mode() != Mode.BRIDGE)) {
                    objections.add("broker " + id
                            + " is registered but down, and was never on the bridge: if it came back as it was,"
                            + " it would write to a topic that nobody reads. Start it on the bridge, unregister it, or vouch"
                            + " for it with --absent " + id);
                }
            } else {
                boolean still = beat != null && pulse(beat).equals(seenBefore.get(id));
                String objection = objection(id, beat, record, still);
                if (!objection.isEmpty()) {
                    objections.add(objection);
                } else if (beat != null && still) {
                    objections.add("broker " + id + " was on the bridge, but" + standsStill(beat));
                }
            }
        });
        return objections;
    }

    /** The brokers that serve and were on the bridge when they last wrote a heartbeat. */
    public List<Integer> onTheBridge() {
        Map<Integer, BrokerHeartbeat> beats = beats();
        List<Integer> found = new ArrayList<>();
        cluster.registeredBrokers().forEach((id, serves) -> {
            BrokerHeartbeat beat = beats.get(id);
            if (serves && beat != null && beat.mode() == Mode.BRIDGE) {
                found.add(id);
            }
        });
        return found;
    }

    private static String standsStill(BrokerHeartbeat beat) {
        return " its heartbeat stands still (the last is of " + beat.at()
                + "): is it still in bridge mode, and does it reach the store?";
    }

    /** @param still whether its heartbeat stands still */
    private static String objection(int id, @Nullable BrokerHeartbeat beat, ClusterRecord record, boolean still) {
        if (beat == null) {
            return "broker " + id + " has never written a heartbeat: it is not on the bridge"
                    + " (rlmm.config.migration.mode=bridge), or can't write to the store";
        } else if (beat.mode() != Mode.BRIDGE) {
            return "broker " + id + " runs the plugin without rlmm.config.migration.mode=bridge";
        } else if (beat.acknowledgedRevision() != record.revision()) {
            return "broker " + id + " has not acknowledged " + record.state() + " (revision " + record.revision()
                    + "); it acts on " + beat.acknowledged() + " (revision " + beat.acknowledgedRevision() + ")"
                    + (beat.waitingFor().isEmpty() ? "" : " and waits for " + beat.waitingFor())
                    + (still ? ";" + standsStill(beat) : "");
        }
        return "";
    }

    /** Whether no other heartbeat has come for so long that it can't be chance. */
    private boolean standsStill(int id) {
        Pulse last = pulses.get(id);
        return last != null && System.nanoTime() - last.nanos() > NO_CHANCE.toNanos();
    }

    private Map<Integer, BrokerHeartbeat> beats() {
        Map<Integer, BrokerHeartbeat> beats = new TreeMap<>();
        administration.heartbeats(clusterId).forEach(beat -> {
            beats.put(beat.brokerId(), beat);
            String value = pulse(beat);
            pulses.compute(
                    beat.brokerId(),
                    (id, last) ->
                            last != null && last.value().equals(value) ? last : new Pulse(value, System.nanoTime()));
        });
        return beats;
    }

    /**
     * Waits until every broker that serves has acknowledged a record, and none that does not can act on one before it: its lease is over.
     *
     * @param deadline after which it gives up, saying who is missing and why
     */
    public void await(ClusterRecord record, Deadline deadline) {
        await(record, deadline, Question.ACKNOWLEDGED);
    }

    /**
     * The same, of brokers that are still there: each has written a heartbeat since {@link #look}. One that was started again without the bridge has
     * left an acknowledgement behind, but writes no more of them.
     */
    public void awaitStill(ClusterRecord record, Deadline deadline) {
        await(record, deadline, Question.STILL_THERE);
    }

    /** What is asked of the brokers. */
    private enum Question {
        ACKNOWLEDGED,
        STILL_THERE,
        OF_THOSE_THAT_SERVE;

        /** Once the topic is the truth brokers may leave the bridge; before, one that did must be told. */
        boolean asksForPulse(ClusterRecord record) {
            return this == STILL_THERE
                    || (this == OF_THOSE_THAT_SERVE && record.state().truth() == Truth.CATALOGUE);
        }
    }

    /**
     * The same of those that serve alone: nobody relies on the others. Where the catalogue is the truth, a
     * broker without the bridge acts on it, too. Who can't come to act on it by waiting is not waited for.
     */
    public void awaitServing(ClusterRecord record, Deadline deadline) {
        await(record, deadline, Question.OF_THOSE_THAT_SERVE);
    }

    private void await(ClusterRecord record, Deadline deadline, Question question) {
        // From when this process knows that the record is there: no look that a lease is counted from began later.
        long since = knownSince.computeIfAbsent(record.revision(), unused -> System.nanoTime());
        List<String> told = List.of();
        while (true) {
            List<Missing> found = missing(record, question, System.nanoTime() - since);
            if (found.isEmpty()) {
                return;
            }
            List<String> missing = found.stream().map(Missing::line).toList();
            if (question == Question.OF_THOSE_THAT_SERVE && found.stream().noneMatch(Missing::mayCome)) {
                throw ToolFailure.refused(String.join("; ", missing));
            }
            List<String> names =
                    missing.stream().map(line -> line.replaceAll("\\d+ s$", "")).toList();
            if (!names.equals(told)) {
                missing.forEach(line -> lines.accept("waiting: " + line));
                told = names;
            }
            if (stopped.getAsBoolean()) {
                throw ToolFailure.refused("stopped while waiting: " + String.join("; ", missing));
            }
            if (deadline.passed()) {
                String passed = "the deadline passed: " + String.join("; ", missing);
                Exception unasked = found.get(0).unasked();
                throw unasked == null ? ToolFailure.refused(passed) : ToolFailure.as(unasked, passed);
            }
            Pause.of(LOOK_AGAIN);
        }
    }

    private static boolean actsWithoutTheBridge(@Nullable BrokerHeartbeat beat, ClusterRecord record) {
        return beat != null
                && beat.mode() == Mode.CATALOGUE
                && record.state().truth() == Truth.CATALOGUE
                && beat.acknowledgedRevision() == record.revision();
    }

    private boolean hasStoodStill(int id, @Nullable BrokerHeartbeat beat) {
        return beat != null && beat.mode() == Mode.BRIDGE && pulse(beat).equals(seenBefore.get(id));
    }

    /**
     * Why a broker is waited for.
     *
     * @param mayCome whether it can change without somebody starting the broker another way
     * @param unasked why nobody could be asked for it, if so
     */
    private record Missing(
            String line, boolean mayCome, @Nullable Exception unasked) {
        Missing(String line, boolean mayCome) {
            this(line, mayCome, null);
        }
    }

    private static boolean mayCome(@Nullable BrokerHeartbeat beat, ClusterRecord record) {
        return beat != null && (beat.mode() == Mode.BRIDGE || record.state().truth() == Truth.CATALOGUE);
    }

    private Missing stoodStill(int id, ClusterRecord record, Question question) {
        boolean mayCome = !standsStill(id);
        String why = question == Question.OF_THOSE_THAT_SERVE && mayCome
                ? "; its next heartbeat tells whether it is still there"
                : ", but its heartbeat stands still since: was it started again without the bridge?";
        return new Missing("broker " + id + " has acknowledged " + record.state() + why, mayCome);
    }

    private List<Missing> missing(ClusterRecord record, Question question, long waitedNanos) {
        try {
            Map<Integer, BrokerHeartbeat> beats = beats();
            Map<Integer, Boolean> registered = cluster.registeredBrokers();
            List<Missing> missing = new ArrayList<>();
            registered.forEach((id, serves) -> {
                BrokerHeartbeat beat = beats.get(id);
                String objection = "";
                if (serves && !(question == Question.OF_THOSE_THAT_SERVE && actsWithoutTheBridge(beat, record))) {
                    objection = objection(id, beat, record, standsStill(id));
                }
                if (!objection.isEmpty()) {
                    missing.add(new Missing(objection, mayCome(beat, record)));
                } else if (serves && question.asksForPulse(record) && hasStoodStill(id, beat)) {
                    missing.add(stoodStill(id, record, question));
                }
            });
            for (BrokerHeartbeat beat : beats.values()) {
                boolean serves = registered.getOrDefault(beat.brokerId(), false);
                long left = beat.lease().plus(MARGIN).toNanos() - waitedNanos;
                if (question != Question.OF_THOSE_THAT_SERVE
                        && !serves
                        && beat.acknowledgedRevision() != record.revision()
                        && left > 0) {
                    String line = "broker " + beat.brokerId() + " is gone; its lease may last for another "
                            + (Duration.ofNanos(left).toSeconds() + 1) + " s";
                    missing.add(new Missing(line, true));
                }
            }
            return missing;
        } catch (StoreException.Unavailable | StoreException.OutcomeUnknown e) {
            return List.of(new Missing("the store does not answer: " + e.getMessage(), true, e));
        } catch (ToolFailure e) {
            if (e.getCause() instanceof RetriableException) {
                return List.of(new Missing(String.valueOf(e.getMessage()), true, e));
            }
            throw e;
        }
    }
}
