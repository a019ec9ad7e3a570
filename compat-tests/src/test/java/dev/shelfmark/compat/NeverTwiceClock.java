package dev.shelfmark.compat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** The system's clock, but never the same instant twice: what happened before is always earlier, as on a server. */
final class NeverTwiceClock extends Clock {

    private final AtomicReference<Instant> last = new AtomicReference<>(Instant.EPOCH);

    @Override
    public Instant instant() {
        return last.updateAndGet(before -> {
            Instant now = Instant.now();
            return now.isAfter(before) ? now : before.plusNanos(1);
        });
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("a database has one clock");
    }
}
