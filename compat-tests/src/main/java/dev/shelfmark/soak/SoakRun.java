package dev.shelfmark.soak;

import dev.shelfmark.compat.broker.Broker;
import dev.shelfmark.compat.broker.JdbcCatalogue;
import dev.shelfmark.compat.broker.PostgresNode;
import dev.shelfmark.compat.broker.TieredTopic;
import dev.shelfmark.soak.record.Plant;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One soak from start to end: traffic, faults, checks on the way and checks at the end. */
final class SoakRun {

    private static final Duration SETTLED = Duration.ofSeconds(90);
    private static final Duration BETWEEN_CHECKS = Duration.ofSeconds(5);
    private static final int ENOUGH_CONNECTIONS = 3 * 20;

    private final boolean postgres;
    private final Duration length;
    private final long seed;
    private final Plant plant;
    private final Findings findings;
    private final List<Producing> producers = new ArrayList<>();
    private final List<Consuming> consumers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    private SoakRun(boolean postgres, Duration length, long seed, Plant plant, PrintStream out) {
        this.postgres = postgres;
        this.length = length;
        this.seed = seed;
        this.plant = plant;
        this.findings = new Findings(out);
    }

    /**
     * Runs one.
     *
     * @return every promise that was broken
     */
    static List<String> run(boolean postgres, Duration length, long seed, Plant plant, PrintStream out) {
        return new SoakRun(postgres, length, seed, plant, out).run();
    }

    private List<String> run() {
        try (SoakBed bed = SoakBed.start(postgres, plant)) {
            SoakTopics topics = new SoakTopics(bed.cluster());
            Resources resources = new Resources(bed.cluster().brokers());
            findings.note("three brokers on " + bed.catalogue().address() + "; seed " + seed);
            findings.begin();
            startTraffic(topics);
            StartOffsets starts = new StartOffsets(topics, findings);
            start("start-offsets", starts);
            disturb(bed, topics);
            findings.note("no more faults; everything is to settle");
            settle(bed, topics);
            producers.forEach(Producing::stop);
            consumers.forEach(Consuming::stop);
            starts.stop();
            join();
            starts.look();
            end(bed, topics, resources);
            return findings.all();
        }
    }

    private void startTraffic(SoakTopics topics) {
        long pause = Math.max(250, length.toMinutes() * 20);
        for (int partition = 0; partition < topics.partitions(); partition++) {
            traffic(topics.lasting().get(0), partition, false, false, pause);
            traffic(topics.lasting().get(1), partition, true, false, pause);
            traffic(topics.shortened(), partition, false, true, pause);
        }
    }

    private void traffic(TieredTopic topic, int partition, boolean transactional, boolean shortened, long pause) {
        Producing producer = new Producing(topic, partition, transactional, pause, seed + partition);
        producers.add(producer);
        start("producer", producer);
        for (boolean committed : transactional ? new boolean[] {false, true} : new boolean[] {false}) {
            Consuming consumer = new Consuming(topic, partition, producer.records(), committed, shortened, findings);
            consumers.add(consumer);
            start("consumer", consumer);
        }
    }

    private void start(String name, Runnable work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (RuntimeException | Error e) {
                        findings.broken("the soak's own " + name + " failed: " + e);
                    }
                },
                "soak-" + name);
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
    }

    private void join() {
        for (Thread thread : threads) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(150));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (thread.isAlive()) {
                findings.broken("the thread " + thread.getName() + " has not ended");
            }
        }
    }

    /** Does what the schedule says, in its three lanes, and checks the records meanwhile. */
    private void disturb(SoakBed bed, SoakTopics topics) {
        Schedule schedule = Schedule.of(seed, length, postgres);
        findings.note(schedule.steps().size() + " faults and changes are to come");
        Disturbance disturbance = new Disturbance(bed);
        Operator operator = new Operator(topics);
        long begun = System.nanoTime();
        List<Thread> lanes = new ArrayList<>();
        for (Step.Lane lane : Step.Lane.values()) {
            Consumer<Step> how = lane == Step.Lane.OPERATOR ? operator::run : disturbance::run;
            Thread thread = new Thread(() -> lane(schedule.of(lane), how, begun), "soak-" + lane);
            thread.setDaemon(true);
            thread.start();
            lanes.add(thread);
        }
        while (System.nanoTime() - begun < length.toNanos()) {
            Disturbance.pause(BETWEEN_CHECKS);
            RegisterCheck.of(bed.records()).forEach(findings::broken);
        }
        for (Thread lane : lanes) {
            try {
                lane.join(TimeUnit.MINUTES.toMillis(4));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        bed.way().heal();
    }

    private void lane(List<Step> steps, Consumer<Step> how, long begun) {
        for (Step step : steps) {
            long wait = begun + step.at().toNanos() - System.nanoTime();
            if (wait > 0) {
                Disturbance.pause(Duration.ofNanos(wait));
            }
            if (System.nanoTime() - begun > length.toNanos()) {
                return;
            }
            findings.note(step.action() + " " + step.argument() + " for "
                    + step.lasting().toMillis() + " ms");
            try {
                how.accept(step);
            } catch (RuntimeException | AssertionError e) {
                findings.note(step.action() + " did not come to its end: "
                        + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
            }
        }
    }

    private void settle(SoakBed bed, SoakTopics topics) {
        for (Broker broker : bed.cluster().brokers()) {
            if (!broker.alive()) {
                broker.start();
            }
        }
        bed.cluster().brokers().forEach(bed.cluster()::awaitUp);
        for (TieredTopic topic : topics.existing()) {
            int partitions = topic.name().startsWith("short-") ? 1 : topics.partitions();
            for (int partition = 0; partition < partitions; partition++) {
                try {
                    topic.awaitLeader(partition, leader -> true);
                    topic.awaitInSync(partition, Set.of(1, 2, 3));
                } catch (RuntimeException e) {
                    findings.note(topic.partition(partition) + " is not whole: " + e.getMessage());
                }
            }
        }
    }

    /** Everything is quiet now: what is promised of the end must hold soon. */
    private void end(SoakBed bed, SoakTopics topics, Resources resources) {
        for (Consuming consumer : consumers) {
            if (!consumer.pass(SETTLED)) {
                findings.broken("a consumer that began after all faults did not come to the end of its partition");
            }
        }
        Agreement agreement = new Agreement(bed);
        eventually(() -> {
            List<String> wrong = agreement.differences(topics.lasting(), topics.partitions());
            wrong.addAll(agreement.differences(List.of(topics.shortened()), topics.partitions()));
            wrong.addAll(agreement.differences(topics.deleted(), 1));
            return wrong;
        });
        RegisterCheck.of(bed.records()).forEach(findings::broken);
        eventually(resources::excess);
        resources.logs().forEach(findings::broken);
        if (postgres) {
            eventually(() -> connections(bed));
        }
        findings.note(String.format(
                Locale.ROOT,
                "%d acknowledged records; %d readings from the beginning to the end; %d topics deleted, %d of their segments left for repair",
                producers.stream()
                        .mapToInt(producer -> producer.records().size())
                        .sum(),
                consumers.stream().mapToInt(Consuming::passes).sum(),
                topics.deleted().size(),
                agreement.leftOver(topics.deleted())));
        findings.note(resources.summary());
    }

    private static List<String> connections(SoakBed bed) {
        double open = ((JdbcCatalogue) bed.catalogue())
                .server()
                .number(PostgresNode.DATABASE, "select count(*) from pg_stat_activity where usename = 'broker'");
        return open > ENOUGH_CONNECTIONS
                ? List.of("the brokers have " + (int) open + " connections to PostgreSQL")
                : List.of();
    }

    private void eventually(Supplier<List<String>> check) {
        long deadline = System.nanoTime() + SETTLED.toNanos();
        List<String> wrong = check.get();
        while (!wrong.isEmpty() && System.nanoTime() < deadline) {
            Disturbance.pause(Duration.ofSeconds(2));
            wrong = check.get();
        }
        wrong.forEach(findings::broken);
    }
}
