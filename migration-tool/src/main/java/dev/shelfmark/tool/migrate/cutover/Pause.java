package dev.shelfmark.tool.migrate.cutover;

import dev.shelfmark.tool.failure.ToolFailure;
import java.time.Duration;

/** Between two looks at the world. */
final class Pause {

    private Pause() {}

    static void of(Duration duration) {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ToolFailure.refused("interrupted");
        }
    }
}
