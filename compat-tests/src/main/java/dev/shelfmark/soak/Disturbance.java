package dev.shelfmark.soak;

import dev.shelfmark.compat.broker.Broker;
import dev.shelfmark.compat.broker.JdbcCatalogue;
import dev.shelfmark.compat.broker.PostgresNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Does what the schedule says to the brokers and to the database, and undoes it. */
final class Disturbance {

    private final SoakBed bed;

    Disturbance(SoakBed bed) {
        this.bed = bed;
    }

    void run(Step step) {
        switch (step.action()) {
            case KILL_BROKER -> kill(broker(step), step.lasting());
            case PAUSE_BROKER -> pause(broker(step), step.lasting());
            case REFUSE_CONNECTIONS -> disturbed(bed.way()::refuse, step.lasting());
            case CUT_CONNECTIONS -> bed.way().cut();
            case BLACK_HOLE -> disturbed(bed.way()::blackHole, step.lasting());
            case DELAY_PACKETS ->
                disturbed(() -> bed.way().delay(Duration.ofMillis(50 + step.argument() / 2)), step.lasting());
            case CUT_BEFORE_REQUEST ->
                disturbed(() -> bed.way().cutBeforeRequest(1 + step.argument() % 10), step.lasting());
            case CUT_AFTER_COMMIT -> disturbed(() -> bed.way().swallowAnswer(1 + step.argument() % 10), step.lasting());
            case RESTART_DATABASE -> restart(postgres(), step.lasting());
            case KILL_DATABASE -> killDatabase(postgres(), step.lasting());
            case FREEZE_DATABASE -> freeze(postgres(), step.lasting());
            case CONNECTION_LIMIT -> atConnectionLimit(postgres(), step.lasting());
            case HOLD_LOCKS -> holdLocks(postgres(), step.lasting());
            case TERMINATE_SESSIONS -> terminate(postgres());
            default -> throw new IllegalArgumentException(step + " is the operator's");
        }
    }

    private Broker broker(Step step) {
        List<Broker> brokers = bed.cluster().brokers();
        return brokers.get(step.argument() % brokers.size());
    }

    private PostgresNode postgres() {
        return ((JdbcCatalogue) bed.catalogue()).server();
    }

    /** The next broker's turn comes when this one serves again, as an operator would have it. */
    private void kill(Broker broker, Duration lasting) {
        broker.kill();
        pause(lasting);
        broker.start();
        bed.cluster().awaitUp(broker);
    }

    private static void pause(Broker broker, Duration lasting) {
        broker.pause();
        try {
            pause(lasting);
        } finally {
            broker.resume();
        }
    }

    private void disturbed(Runnable fault, Duration lasting) {
        fault.run();
        try {
            pause(lasting);
        } finally {
            bed.way().heal();
        }
    }

    private static void restart(PostgresNode server, Duration lasting) {
        server.stop();
        pause(lasting);
        server.start();
    }

    private static void killDatabase(PostgresNode server, Duration lasting) {
        postmaster(server).destroyForcibly();
        pause(lasting.plusSeconds(1));
        server.start();
    }

    private static void freeze(PostgresNode server, Duration lasting) {
        ProcessHandle postmaster = postmaster(server);
        List<ProcessHandle> all =
                Stream.concat(Stream.of(postmaster), postmaster.descendants()).toList();
        all.forEach(process -> signal("-STOP", process));
        try {
            pause(lasting);
        } finally {
            all.forEach(process -> signal("-CONT", process));
        }
    }

    private static ProcessHandle postmaster(PostgresNode server) {
        try {
            long pid = Long.parseLong(Files.readAllLines(server.data().resolve("postmaster.pid"))
                    .get(0)
                    .trim());
            return ProcessHandle.of(pid).orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL does not run", e);
        }
    }

    private static void signal(String signal, ProcessHandle process) {
        try {
            int unused = new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("can't run kill", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void atConnectionLimit(PostgresNode server, Duration lasting) {
        server.execute("postgres", "alter role broker connection limit 0");
        terminate(server);
        try {
            pause(lasting);
        } finally {
            server.execute("postgres", "alter role broker connection limit -1");
        }
    }

    private static void terminate(PostgresNode server) {
        server.execute("postgres", "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'broker'");
    }

    private static void holdLocks(PostgresNode server, Duration lasting) {
        server.execute(
                PostgresNode.DATABASE,
                "do $$ declare t regclass; begin"
                        + " for t in select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace"
                        + " where c.relkind = 'r' and c.relname in ('topic_partition', 'segment') loop"
                        + " execute 'lock table ' || t || ' in access exclusive mode'; end loop;"
                        + " perform pg_sleep(" + lasting.toMillis() / 1e3 + "); end $$");
    }

    static void pause(Duration duration) {
        try {
            TimeUnit.NANOSECONDS.sleep(duration.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
