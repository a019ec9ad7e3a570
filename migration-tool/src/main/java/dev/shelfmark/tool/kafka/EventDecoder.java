package dev.shelfmark.tool.kafka;

import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.tool.failure.ToolFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.server.log.remote.metadata.storage.serialization.RemoteLogMetadataSerde;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadataUpdate;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteMetadata;

/** Reads the topic's records with Kafka's own serde. What it can't read ends the work: nothing is skipped on a guess. */
public final class EventDecoder {

    private final RemoteLogMetadataSerde serde = new RemoteLogMetadataSerde();

    /** What records say, one after the other; fails as {@link #decode(MetadataRecord)}. */
    public List<TopicEvent> decode(List<MetadataRecord> records) {
        List<TopicEvent> events = new ArrayList<>(records.size());
        records.forEach(record -> events.add(decode(record)));
        return events;
    }

    /**
     * What a record says.
     *
     * @throws ToolFailure naming the record, when it can't be read
     */
    public TopicEvent decode(MetadataRecord record) {
        Optional<RemoteLogMetadata> metadata = read(record);
        if (metadata.isEmpty()) {
            return new TopicEvent.Unusable(record, SkipReason.TOMBSTONE);
        }
        try {
            return decode(record, metadata.get());
        } catch (RuntimeException e) {
            throw unreadable(record, e);
        }
    }

    /**
     * What a record says, in Kafka's words; empty for a tombstone.
     *
     * @throws ToolFailure naming the record, when it can't be read
     */
    public Optional<RemoteLogMetadata> read(MetadataRecord record) {
        byte[] value = record.value();
        try {
            return value == null ? Optional.empty() : Optional.of(serde.deserialize(value));
        } catch (RuntimeException e) {
            // Kafka's serde tells by all kinds of unchecked exceptions that it knows no such type, version or content.
            throw unreadable(record, e);
        }
    }

    private static ToolFailure unreadable(MetadataRecord record, RuntimeException e) {
        return ToolFailure.kafka(
                "the record at partition " + record.partition() + ", offset " + record.offset() + " of "
                        + MetadataTopic.NAME + " can't be read (" + e.getMessage()
                        + "); it was written by a newer Kafka or by something else. Nothing from there on was read;"
                        + " use a build of this command for that Kafka",
                e);
    }

    private static TopicEvent decode(MetadataRecord record, RemoteLogMetadata metadata) {
        if (metadata instanceof RemoteLogSegmentMetadata added) {
            return new TopicEvent.Change(record, added.topicIdPartition(), KafkaMapping.event(added));
        } else if (metadata instanceof RemoteLogSegmentMetadataUpdate update) {
            return new TopicEvent.Change(record, update.topicIdPartition(), KafkaMapping.event(update));
        } else if (metadata instanceof RemotePartitionDeleteMetadata deletion) {
            return new TopicEvent.Change(record, deletion.topicIdPartition(), KafkaMapping.event(deletion));
        }
        return new TopicEvent.Unusable(record, SkipReason.SNAPSHOT);
    }
}
