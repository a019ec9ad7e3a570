package dev.shelfmark.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/** How many transactions a second the server takes when each changes one row, each connection one of its own, and nothing else happens. */
final class BareCommits {

    static final String URL = "bare.url";
    static final String USER = "bare.user";
    static final String PASSWORD = "bare.password";

    /** Makes the rows; run by somebody who may. */
    static final String SCHEMA = """
            create table bare (id integer primary key, n bigint not null) with (fillfactor = 50);
            insert into bare select i, 0 from generate_series(0, 99) i;
            grant select, update on bare to public;
            """;

    /** With as many connections as Shelfmark's writers have by default, and with one. */
    static final List<Integer> CONNECTIONS = List.of(1, 4);

    private static final Duration WARM = Duration.ofSeconds(1);

    private BareCommits() {}

    static Map<String, String> settings(String url, String user, String password) {
        return Map.of(URL, url, USER, user, PASSWORD, password);
    }

    /**
     * Measures them immediately before and after something else, as what a disk takes changes within a minute: {@code bare.4.rate} is the mean of
     * both. Measures only the other where none are wanted.
     */
    static void around(Runnable other, int connections, Settings settings, Results results) {
        if (!settings.values().containsKey(URL) || !CONNECTIONS.contains(connections)) {
            other.run();
            return;
        }
        Duration time = Duration.ofMillis(settings.number(Writing.MILLIS));
        rate(settings, connections, WARM);
        double before = rate(settings, connections, time);
        other.run();
        double after = rate(settings, connections, time);
        results.put("bare." + connections + ".rate", (before + after) / 2);
    }

    private static double rate(Settings settings, int connections, Duration time) {
        long began = System.nanoTime();
        long deadline = began + time.toNanos();
        List<Callable<Long>> writers = IntStream.range(0, connections)
                .<Callable<Long>>mapToObj(i -> () -> commits(settings, i, deadline))
                .toList();
        long commits =
                Together.call(writers).stream().mapToLong(Long::longValue).sum();
        return commits / ((System.nanoTime() - began) / 1e9);
    }

    private static long commits(Settings settings, int row, long deadline) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(settings.text(URL), settings.text(USER), settings.text(PASSWORD));
                PreparedStatement update =
                        connection.prepareStatement("update public.bare set n = n + 1 where id = ?")) {
            long commits = 0;
            while (System.nanoTime() - deadline < 0) {
                update.setInt(1, row);
                if (update.executeUpdate() != 1) {
                    throw new IllegalStateException("row " + row + " is not there");
                }
                commits++;
            }
            return commits;
        }
    }
}
