package dev.shelfmark.tool.storage.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.TextualId;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Every layout on the class path: keys that it makes it also understands, whatever stands before them. */
final class LayoutKeysTest {

    // In base64 these begin and end with '-' and '_', which also separate the parts of a key.
    private static final UUID TOPIC_ID = TextualId.parse("-_-_AAAAAAAAAAAAAAA-_w");
    private static final UUID SEGMENT_ID = TextualId.parse("_--_AAAAAAAAAAAAAAAA-w");
    private static final String TOPIC = "orders-1-_.x-AAAAAAAAAAAAAAAAAAAAAA";

    @Test
    void thereAreThree() {
        assertThat(SegmentLayout.all().keySet()).containsExactly("aiven", "directory", "local-tiered-storage");
    }

    @Test
    void everyLayoutUnderstandsItsOwnKeys() {
        SegmentLayout.all().forEach((name, layout) -> {
            for (String prefix : List.of("", "tier/", "a-1/b_2/")) {
                List<String> keys = layout.keys(prefix, TOPIC, TOPIC_ID, 7, 1234, SEGMENT_ID);
                assertThat(keys).hasSameSizeAs(layout.required());
                assertThat(keys)
                        .as(name)
                        .allSatisfy(key -> assertThat(layout.parse(key))
                                .hasValueSatisfying(object -> assertThat(object.segment())
                                        .isEqualTo(new SegmentName(TOPIC_ID, 7, SEGMENT_ID))));
                assertThat(keys.stream()
                                .map(key -> layout.parse(key).orElseThrow().file()))
                        .containsExactlyInAnyOrderElementsOf(layout.required());
            }
        });
    }

    @Test
    void noLayoutTakesAnothersKeysOrAnythingElse() {
        SegmentLayout.all().forEach((name, layout) -> {
            assertThat(layout.parse("readme.txt")).isEmpty();
            assertThat(layout.parse("orders-x/7/00000000000000001234-y.log")).isEmpty();
            SegmentLayout.all().forEach((other, another) -> {
                if (!name.equals(other)) {
                    assertThat(another.keys("", TOPIC, TOPIC_ID, 7, 1234, SEGMENT_ID))
                            .allSatisfy(key -> assertThat(layout.parse(key)).isEmpty());
                }
            });
        });
    }

    @Test
    void aivensPrefixIsPutBeforeTheTopicAsItIs() {
        SegmentLayout aiven = new AivenLayout();
        String key = "prefix-without-slash" + "orders-" + TextualId.of(TOPIC_ID) + "/7/00000000000000001234-"
                + TextualId.of(SEGMENT_ID) + ".rsm-manifest";
        assertThat(aiven.parse(key))
                .hasValueSatisfying(object -> assertThat(object.file()).isEqualTo("rsm-manifest"));
        assertThat(aiven.parse(key.replace("/7/", "/99999999999/"))).isEmpty();
        assertThat(aiven.parse(key + ".tmp")).isEmpty();
    }

    @Test
    void aivensCustomMetadataAreTheKeptFieldsInTheOrderOfTheirTags() {
        CustomMetadata all = AivenCustomMetadata.encode(EnumSet.allOf(AivenCustomMetadata.class), 300, "p/", "key");
        // Count, then for each its tag, its size and its value: 300 as a zigzag varint, texts with their length and
        // one.
        assertThat(all)
                .isEqualTo(CustomMetadata.of(
                        new byte[] {3, 0, 2, (byte) 0xD8, 4, 1, 3, 3, 'p', '/', 2, 4, 4, 'k', 'e', 'y'}));
        assertThat(AivenCustomMetadata.encode(EnumSet.of(AivenCustomMetadata.OBJECT_KEY), 300, "p/", "key"))
                .isEqualTo(CustomMetadata.of(new byte[] {1, 2, 4, 4, 'k', 'e', 'y'}));
        assertThat(AivenCustomMetadata.encode(EnumSet.noneOf(AivenCustomMetadata.class), 300, "p/", "key"))
                .isNull();
        assertThatThrownBy(() -> new AivenLayout().with(new LayoutSettings(List.of("SIZE"))))
                .hasMessageContaining("REMOTE_SIZE, OBJECT_PREFIX, OBJECT_KEY");
    }

    private static AivenManifest manifest(String txn, String more) throws UnreadableSegmentException {
        return AivenManifest.parse("""
                {"version":"1","chunkIndex":{"type":"fixed","originalFileSize":4321,"new":[1]},
                 "segmentIndexes":{"offset":{"position":0,"size":8}%s},
                 "remoteLogSegmentMetadata":{"remoteLogSegmentId":{"topicIdPartition":{"topicId":"%s",
                   "topicPartition":{"topic":"orders","partition":7}},"id":"%s"},
                  "startOffset":10,"endOffset":19,"maxTimestampMs":77,"brokerId":3,"eventTimestampMs":88,
                  "segmentLeaderEpochs":{"3":10,"5":12}%s}}""".formatted(txn, TextualId.of(TOPIC_ID), TextualId.of(SEGMENT_ID), more)
                .getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aManifestTellsWhetherThereIsATransactionIndex() throws Exception {
        assertThat(manifest("", "").txnIndexEmpty()).isTrue();
        assertThat(manifest(",\"transaction\":null", "").txnIndexEmpty()).isTrue();
        assertThat(manifest(",\"transaction\":{\"position\":8,\"size\":0}", "").txnIndexEmpty())
                .isTrue();
        assertThat(manifest(",\"transaction\":{\"position\":8,\"size\":34}", "").txnIndexEmpty())
                .isFalse();
        assertThat(manifest(",\"transaction\":{\"position\":8,\"size\":34}", ",\"txnIdxEmpty\":true")
                        .txnIndexEmpty())
                .isTrue();
        AivenManifest manifest = manifest("", ",\"unknown\":{}");
        assertThat(manifest.name()).isEqualTo(new SegmentName(TOPIC_ID, 7, SEGMENT_ID));
        assertThat(manifest.sizeInBytes()).isEqualTo(4321);
        assertThat(manifest.leaderEpochs().toMap()).isEqualTo(Map.of(3, 10L, 5, 12L));
    }
}
