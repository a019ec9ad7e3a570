package dev.shelfmark.jdbc.connection;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lost connections in the log: a line for the first, and no other for ten minutes. */
final class LossLog {

    private static final Logger LOG = LoggerFactory.getLogger(LossLog.class);
    private static final long QUIET_NANOS = Duration.ofMinutes(10).toNanos();

    private final ServerAddress server;
    private final LongSupplier nanoTime;
    private long lastNanos;
    private long since;

    LossLog(ServerAddress server, LongSupplier nanoTime) {
        this.server = server;
        this.nanoTime = nanoTime;
        this.lastNanos = nanoTime.getAsLong() - QUIET_NANOS;
    }

    synchronized void lost(String why) {
        long now = nanoTime.getAsLong();
        if (now - lastNanos < QUIET_NANOS) {
            since++;
            return;
        }
        LOG.warn(
                "lost a connection to PostgreSQL at {}: {}. All open connections are replaced when they are next needed.{}",
                server,
                why,
                since == 0 ? "" : " " + since + " more were lost since the last warning.");
        lastNanos = now;
        since = 0;
    }
}
