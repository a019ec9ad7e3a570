package dev.shelfmark.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.catalogue.CatalogueListener;
import dev.shelfmark.catalogue.CatalogueSettings;
import dev.shelfmark.catalogue.Deadline;
import dev.shelfmark.catalogue.PartitionEvent;
import dev.shelfmark.catalogue.SegmentCatalogue;
import dev.shelfmark.catalogue.WriteOutcome;
import dev.shelfmark.store.InMemoryCatalogueStore;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.Retention;
import dev.shelfmark.store.StoreListener;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentId;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata.CustomMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.junit.jupiter.api.Test;

class LastAnswerTest {

    private static final TopicIdPartition PARTITION = new TopicIdPartition(new Uuid(1, 2), 0, "orders");
    private static final PartitionKey KEY = KafkaMapping.key("cluster", PARTITION);
    // Of equal lower halves: an id must be compared as a whole.
    private static final RemoteLogSegmentId FIRST = new RemoteLogSegmentId(PARTITION, new Uuid(1, 7));
    private static final RemoteLogSegmentId SECOND = new RemoteLogSegmentId(PARTITION, new Uuid(2, 7));

    private final SegmentCatalogue catalogue = new SegmentCatalogue(
            new InMemoryCatalogueStore(
                    new InMemoryCatalogueStore.Database(Clock.systemUTC()), Retention.NONE, StoreListener.NONE),
            CatalogueSettings.defaults(),
            CatalogueListener.NONE,
            Runnable::run);
    private final LastAnswer answers = new LastAnswer(PARTITION);

    private void write(PartitionEvent... events) {
        assertThat(catalogue.write(KEY, "orders", List.of(events), Deadline.in(Duration.ofSeconds(5))))
                .hasOnlyElementsOfType(WriteOutcome.Done.class);
    }

    private static PartitionEvent added(RemoteLogSegmentId id, long start) {
        return KafkaMapping.event(new RemoteLogSegmentMetadata(id, start, start + 9, 5, 1, 6, 7, Map.of(0, start)));
    }

    private static PartitionEvent finished(RemoteLogSegmentId id, String custom) {
        return KafkaMapping.event(new RemoteLogSegmentMetadataUpdate(
                id,
                8,
                custom.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new CustomMetadata(custom.getBytes(StandardCharsets.UTF_8))),
                RemoteLogSegmentState.COPY_SEGMENT_FINISHED,
                1));
    }

    private RemoteLogSegmentMetadata at(long offset) {
        return catalogue.read(KEY, 0, offset, answers).orElseThrow();
    }

    @Test
    void isHandedOutAgainWhileTheSameSegmentIsAskedFor() {
        write(added(FIRST, 0), finished(FIRST, ""), added(SECOND, 10), finished(SECOND, ""));
        at(0);
        RemoteLogSegmentMetadata kept = at(1);
        assertThat(at(2)).isSameAs(kept);
        assertThat(kept.remoteLogSegmentId()).isEqualTo(FIRST);
        for (int round = 0; round < 3; round++) {
            assertThat(at(12).remoteLogSegmentId()).isEqualTo(SECOND);
            assertThat(at(13).startOffset()).isEqualTo(10);
            assertThat(at(3).remoteLogSegmentId()).isEqualTo(FIRST);
        }
    }

    @Test
    void isMadeAnewOnceTheSegmentHasChanged() {
        write(added(FIRST, 0), finished(FIRST, ""));
        at(0);
        assertThat(at(1).customMetadata()).isEmpty();
        for (String custom : List.of("one", "two", "twenty")) {
            write(finished(FIRST, custom));
            for (int again = 0; again < 3; again++) {
                assertThat(at(2).customMetadata())
                        .contains(new CustomMetadata(custom.getBytes(StandardCharsets.UTF_8)));
            }
        }
    }
}
