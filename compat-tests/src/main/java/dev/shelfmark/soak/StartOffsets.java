package dev.shelfmark.soak;

import dev.shelfmark.compat.broker.TieredTopic;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/** Watches where the logs start: at 0, unless retention has deleted something; and never further back than before. */
final class StartOffsets implements Runnable {

    private final SoakTopics topics;
    private final Findings findings;
    private final Map<TopicPartition, Long> seen = new HashMap<>();
    private volatile boolean stopped;

    StartOffsets(SoakTopics topics, Findings findings) {
        this.topics = topics;
        this.findings = findings;
    }

    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        while (!stopped) {
            look();
            Disturbance.pause(java.time.Duration.ofSeconds(1));
        }
    }

    void look() {
        for (int partition = 0; partition < topics.partitions(); partition++) {
            for (TieredTopic topic : topics.lasting()) {
                look(topic, partition, false);
            }
            look(topics.shortened(), partition, true);
        }
    }

    private void look(TieredTopic topic, int number, boolean shortened) {
        TopicPartition partition = topic.partition(number);
        try {
            long start = topic.cluster()
                    .admin()
                    .listOffsets(Map.of(partition, OffsetSpec.earliest()))
                    .partitionResult(partition)
                    .get(20, TimeUnit.SECONDS)
                    .offset();
            long before = seen.getOrDefault(partition, 0L);
            if (!shortened && start != 0) {
                findings.broken(
                        "the log of " + partition + " starts at " + start + ", although nothing deletes its records");
            }
            seen.put(partition, Math.max(start, before));
        } catch (ExecutionException | TimeoutException unavailable) {
            // In an outage nobody can say.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stopped = true;
        }
    }
}
