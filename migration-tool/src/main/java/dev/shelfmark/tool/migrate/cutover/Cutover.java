package dev.shelfmark.tool.migrate.cutover;

import dev.shelfmark.retry.Deadline;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.ClusterState;
import dev.shelfmark.tool.failure.ExitCode;
import dev.shelfmark.tool.failure.ToolFailure;
import dev.shelfmark.tool.kafka.Brokers;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The way of a cluster from one truth to the other: prepared while nobody waits, finished while writes do, and given up when that takes too long. A run
 * that was killed anywhere leaves a state from which the next goes on.
 */
public final class Cutover {

    private static final Duration FOR_HEARTBEATS = Duration.ofSeconds(5);
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

    private final Route route;
    private final ClusterStateChange cluster;
    private final BrokerAcknowledgements brokers;
    private final Brokers kafka;
    private final Work work;
    private final Duration limit;
    private final Consumer<String> lines;

    /**
     * From where, through which pause, to where.
     *
     * @param command what starts it, for people
     */
    public record Route(ClusterState from, ClusterState draining, ClusterState to, String command) {

        public static final Route TO_THE_CATALOGUE =
                new Route(ClusterState.IMPORTING, ClusterState.DRAINING_TO_READY, ClusterState.READY, "cutover");
        public static final Route BACK_TO_THE_TOPIC =
                new Route(ClusterState.READY, ClusterState.DRAINING_TO_BRIDGED, ClusterState.BRIDGED, "rollback");
    }

    /** What makes the new truth true. */
    public interface Work {

        /** Brings it up to date and checks it, for as long as that takes, while the old one is still written. */
        void prepare();

        /** Brings in the last of the old one, which nobody writes any more, and checks it. */
        void finish(Deadline deadline);
    }

    /**
     * One run.
     *
     * @param limit how long writes may wait
     * @param lines takes each step, for people
     */
    public Cutover(
            Route route,
            ClusterStateChange cluster,
            BrokerAcknowledgements brokers,
            Brokers kafka,
            Work work,
            Duration limit,
            Consumer<String> lines) {
        this.route = route;
        this.cluster = cluster;
        this.brokers = brokers;
        this.kafka = kafka;
        this.work = work;
        this.limit = limit;
        this.lines = lines;
    }

    /** Goes it, from wherever an earlier run came. */
    public void run() {
        ClusterRecord record = cluster.current();
        if (record.state() == route.to()) {
            lines.accept("cluster " + record.clusterId() + " is " + name(route.to()) + " since " + record.changedAt()
                    + ", by " + record.changedBy());
            brokers.look();
        } else {
            record = throwSwitch(record);
        }
        try {
            brokers.awaitServing(record, begun());
            lines.accept("every broker acts on it");
        } catch (ToolFailure e) {
            lines.accept("it is done, but not every broker acts on it: " + e.getMessage());
        }
    }

    /** From now on somebody waits, for the limit's time at most, and for no call to Kafka longer than for all of it. */
    private Deadline begun() {
        Deadline deadline = Deadline.in(limit);
        kafka.endBy(deadline);
        return deadline;
    }

    private ClusterRecord throwSwitch(ClusterRecord found) {
        ClusterRecord drained;
        if (found.state() == route.draining()) {
            lines.accept("an earlier run ended while the cluster was " + name(route.draining()) + " (revision "
                    + found.revision() + ", since " + found.changedAt() + ", by " + found.changedBy()
                    + "): going on from there");
            drained = found;
        } else {
            drained = prepared(found);
        }
        long began = System.nanoTime();
        ClusterRecord done;
        try {
            Deadline deadline = begun();
            brokers.await(drained, deadline);
            lines.accept("every broker has acknowledged it: nobody writes");
            brokers.look();
            work.finish(deadline);
            // A broker may have come since, or gone and come back as another.
            brokers.awaitStill(drained, deadline);
            if (deadline.passed()) {
                throw ToolFailure.refused(
                        "the deadline of " + limit.toSeconds() + " s passed before everything was done");
            }
            done = cluster.move(drained, route.to(), "shelfmark " + route.command());
        } catch (RuntimeException e) {
            throw givenUp(drained, e);
        }
        lines.accept(String.format(
                Locale.ROOT,
                "%s (revision %d): writes waited for %.1f s",
                name(route.to()),
                done.revision(),
                (System.nanoTime() - began) / 1e9));
        return done;
    }

    private ClusterRecord prepared(ClusterRecord found) {
        if (found.state() != route.from()) {
            throw ToolFailure.refused("cluster " + found.clusterId() + " is " + name(found.state()) + " since "
                    + found.changedAt() + ", by " + found.changedBy() + "; 'shelfmark " + route.command()
                    + "' is for one that is " + name(route.from()));
        }
        brokers.look();
        work.prepare();
        List<String> objections = objections(found);
        if (!objections.isEmpty()) {
            // To brokers it is the record that is there which counts, and it may be another by now.
            cluster.ensureStill(found);
            throw ToolFailure.refused(
                    "not " + name(route.to()) + " yet, and nothing was changed: " + String.join("; ", objections));
        }
        lines.accept("every broker is on the bridge");
        ClusterRecord drained = cluster.move(found, route.draining(), "shelfmark " + route.command());
        lines.accept(name(route.draining()) + " (revision " + drained.revision() + "): writes wait, for "
                + limit.toSeconds() + " s at most");
        return drained;
    }

    private List<String> objections(ClusterRecord found) {
        Deadline deadline = Deadline.in(FOR_HEARTBEATS);
        List<String> objections = brokers.objections(found);
        while (!objections.isEmpty() && !deadline.passed()) {
            Pause.of(LOOK_AGAIN);
            objections = brokers.objections(found);
        }
        return objections;
    }

    private ToolFailure givenUp(ClusterRecord drained, RuntimeException failure) {
        boolean fault = ExitCode.of(failure) == ExitCode.INTERNAL;
        String reason = fault ? "a fault of the command itself: " + failure : String.valueOf(failure.getMessage());
        try {
            ClusterRecord back = cluster.move(drained, route.from(), "given up: " + reason);
            lines.accept(name(route.from()) + " again (revision " + back.revision() + ")");
        } catch (RuntimeException e) {
            return ToolFailure.as(
                    e,
                    "given up (" + reason + "), but the way back to " + name(route.from()) + " failed: "
                            + e.getMessage() + ". While 'shelfmark state' shows " + name(route.draining())
                            + ", writes wait and then fail: run 'shelfmark " + route.command() + "' again");
        }
        return ToolFailure.as(failure, "given up, and all is " + name(route.from()) + " as before: " + reason);
    }

    private static String name(ClusterState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
