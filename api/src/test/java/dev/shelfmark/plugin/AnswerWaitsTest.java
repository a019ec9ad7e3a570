package dev.shelfmark.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.ReplicaNotAvailableException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AnswerWaitsTest {

    private final ReplicaNotAvailableException closed = new ReplicaNotAvailableException("closed");

    private static <T> CompletableFuture<T> on(String thread, AnswerWaits.Question<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread started = new Thread(
                () -> {
                    try {
                        result.complete(action.ask());
                    } catch (Exception e) {
                        result.completeExceptionally(e);
                    }
                },
                thread);
        started.setDaemon(true);
        started.start();
        return result;
    }

    @Test
    void everyWaitingReaderIsAnsweredWhenAnswersBecomePossible() throws Exception {
        AnswerWaits waits = new AnswerWaits(TimeUnit.HOURS.toNanos(1), TimeUnit.HOURS.toNanos(1), () -> 0);
        AtomicBoolean open = new AtomicBoolean();
        AtomicInteger asked = new AtomicInteger();
        List<CompletableFuture<String>> readers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            readers.add(on(
                    "remote-log-reader-" + i,
                    () -> waits.askAgain(closed, waits.wakeUps(), () -> {
                        asked.incrementAndGet();
                        if (!open.get()) {
                            throw closed;
                        }
                        return "answer";
                    })));
        }
        waits.wake();
        open.set(true);
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
            waits.wake();
            return readers.stream().allMatch(CompletableFuture::isDone);
        });

        assertThat(readers).allSatisfy(reader -> assertThat(reader.getNow("")).isEqualTo("answer"));
        assertThat(asked.get()).isGreaterThanOrEqualTo(10);
    }

    @Test
    void anAnswerThatBecamePossibleBeforeTheWaitIsNotMissed() throws Exception {
        AnswerWaits waits = new AnswerWaits(TimeUnit.HOURS.toNanos(1), TimeUnit.HOURS.toNanos(1), () -> 0);
        long before = waits.wakeUps();
        waits.wake();

        assertThat(on("remote-log-reader-0", () -> waits.askAgain(closed, before, () -> "answer"))
                        .get(30, TimeUnit.SECONDS))
                .isEqualTo("answer");
    }

    @Test
    void otherThreadsDoNotWait() {
        AnswerWaits waits = new AnswerWaits(TimeUnit.HOURS.toNanos(1), TimeUnit.HOURS.toNanos(1), () -> 0);
        for (String thread : List.of(
                "ReplicaFetcherThread-0-2",
                "kafka-1-metadata-loader-event-handler",
                "data-plane-kafka-request-handler-3",
                "kafka-rlm-follower-thread-pool-0")) {
            assertThatThrownBy(() -> on(thread, () -> waits.askAgain(closed, waits.wakeUps(), () -> "answer"))
                            .get(30, TimeUnit.SECONDS))
                    .hasCause(closed);
        }
    }

    @Test
    void beyondThePatientReadersTheOthersAreSoonFreeAgain() throws Exception {
        AnswerWaits waits =
                new AnswerWaits(TimeUnit.HOURS.toNanos(1), TimeUnit.MILLISECONDS.toNanos(1), () -> ReaderQueue.UNKNOWN);
        List<CompletableFuture<String>> readers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            readers.add(on("remote-log-reader-" + i, () -> waits.askAgain(closed, waits.wakeUps(), () -> "answer")));
        }

        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> readers.stream().filter(CompletableFuture::isDone).count() == 6);
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
            waits.wake();
            return readers.stream().allMatch(CompletableFuture::isDone);
        });
    }

    @Test
    void readersAreFreeAgainWhenReadsWaitForOne() throws Exception {
        AtomicInteger queued = new AtomicInteger();
        AnswerWaits waits = new AnswerWaits(TimeUnit.HOURS.toNanos(1), TimeUnit.HOURS.toNanos(1), queued::get);
        List<CompletableFuture<String>> readers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            readers.add(on("remote-log-reader-" + i, () -> waits.askAgain(closed, waits.wakeUps(), () -> "answer")));
        }
        Awaitility.await()
                .during(Duration.ofMillis(200))
                .atMost(Duration.ofSeconds(30))
                .until(() -> readers.stream().noneMatch(CompletableFuture::isDone));

        queued.set(Integer.MAX_VALUE);

        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> readers.stream().allMatch(CompletableFuture::isDone));
        assertThat(readers)
                .allSatisfy(reader -> assertThatThrownBy(reader::join).hasCause(closed));
    }
}
