package org.apache.kafka.tiered.storage;

import org.apache.kafka.tiered.storage.integration.DeleteSegmentsByRetentionSizeTest;
import org.apache.kafka.tiered.storage.integration.DeleteSegmentsByRetentionTimeTest;
import org.apache.kafka.tiered.storage.integration.DeleteTopicTest;
import org.apache.kafka.tiered.storage.integration.ListOffsetsTest;
import org.apache.kafka.tiered.storage.integration.OffloadAndConsumeFromLeaderTest;
import org.apache.kafka.tiered.storage.integration.OffloadAndTxnConsumeFromLeaderTest;
import org.apache.kafka.tiered.storage.integration.PartitionsExpandTest;
import org.apache.kafka.tiered.storage.integration.RollAndOffloadActiveSegmentTest;
import org.junit.jupiter.api.Nested;

/** Kafka's own tests of tiered storage. Each runs twice, for the classic consumer protocol and for the new one. */
final class KafkaTieredStorageTest {

    @Nested
    final class DeleteSegmentsByRetentionSize extends CatalogueTestHarness {
        DeleteSegmentsByRetentionSize() {
            super(new DeleteSegmentsByRetentionSizeTest());
        }
    }

    @Nested
    final class DeleteSegmentsByRetentionTime extends CatalogueTestHarness {
        DeleteSegmentsByRetentionTime() {
            super(new DeleteSegmentsByRetentionTimeTest());
        }
    }

    @Nested
    final class DeleteTopic extends CatalogueTestHarness {
        DeleteTopic() {
            super(new DeleteTopicTest());
        }
    }

    @Nested
    final class ListOffsets extends CatalogueTestHarness {
        ListOffsets() {
            super(new ListOffsetsTest());
        }
    }

    @Nested
    final class OffloadAndConsumeFromLeader extends CatalogueTestHarness {
        OffloadAndConsumeFromLeader() {
            super(new OffloadAndConsumeFromLeaderTest());
        }
    }

    @Nested
    final class OffloadAndTxnConsumeFromLeader extends CatalogueTestHarness {
        OffloadAndTxnConsumeFromLeader() {
            super(new OffloadAndTxnConsumeFromLeaderTest());
        }
    }

    @Nested
    final class PartitionsExpand extends CatalogueTestHarness {
        PartitionsExpand() {
            super(new PartitionsExpandTest());
        }
    }

    @Nested
    final class RollAndOffloadActiveSegment extends CatalogueTestHarness {
        RollAndOffloadActiveSegment() {
            super(new RollAndOffloadActiveSegmentTest());
        }
    }
}
