package dev.shelfmark.compat.broker;

import dev.shelfmark.store.*;
import java.time.Duration;
import java.util.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.common.*;
import org.apache.kafka.common.serialization.*;
import org.apache.kafka.server.log.remote.metadata.storage.serialization.RemoteLogMetadataSerde;
import org.apache.kafka.server.log.remote.storage.*;

class JdbcCatalogue {
    static volatile String bootstrap = "";

    static JdbcCatalogue start() {
        return new JdbcCatalogue();
    }

    Map<String, String> brokerProperties() {
        return Map.of(
                "rlmm.config.remote.log.metadata.topic.num.partitions",
                "1",
                "rlmm.config.remote.log.metadata.topic.replication.factor",
                "2",
                "rlmm.config.remote.log.metadata.topic.min.isr",
                "1");
    }

    void register(String id) {}

    void close() {}

    List<SegmentRecord> records(String clusterId, Uuid topicId, int partition) {
        Map<Uuid, RemoteLogSegmentMetadata> all = new LinkedHashMap<>();
        Map<Uuid, SegmentRecord> out = new LinkedHashMap<>();
        Map<String, Object> c = new HashMap<>();
        c.put("bootstrap.servers", bootstrap);
        var serde = new RemoteLogMetadataSerde();
        try (var k = new KafkaConsumer<byte[], byte[]>(c, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            var tp = new TopicPartition("__remote_log_metadata", 0);
            k.assign(List.of(tp));
            k.seekToBeginning(List.of(tp));
            long end = k.endOffsets(List.of(tp)).getOrDefault(tp, 0L);
            while (k.position(tp) < end)
                for (var r : k.poll(Duration.ofMillis(100))) {
                    var m = serde.deserialize(r.value());
                    if (!m.topicIdPartition().topicId().equals(topicId)) continue;
                    RemoteLogSegmentMetadata now;
                    if (m instanceof RemoteLogSegmentMetadata s) now = s;
                    else {
                        var u = (RemoteLogSegmentMetadataUpdate) m;
                        var b = all.get(u.remoteLogSegmentId().id());
                        if (b == null) continue;
                        now = b.createWithUpdates(u);
                    }
                    var id = now.remoteLogSegmentId().id();
                    all.put(id, now);
                    out.put(
                            id,
                            new SegmentRecord(
                                    new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits()),
                                    now.startOffset(),
                                    now.endOffset(),
                                    LeaderEpochs.of(now.segmentLeaderEpochs()),
                                    SegmentState.valueOf(now.state().name()),
                                    now.maxTimestampMs(),
                                    now.segmentSizeInBytes(),
                                    now.isTxnIdxEmpty(),
                                    null,
                                    1,
                                    0,
                                    0,
                                    0));
                }
        }
        return List.copyOf(out.values());
    }
}
