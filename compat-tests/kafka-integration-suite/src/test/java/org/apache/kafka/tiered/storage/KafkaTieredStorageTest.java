package org.apache.kafka.tiered.storage;

import org.apache.kafka.tiered.storage.integration.AlterLogDirTest;
import org.apache.kafka.tiered.storage.integration.DeleteSegmentsByRetentionSizeTest;
import org.apache.kafka.tiered.storage.integration.DeleteSegmentsByRetentionTimeTest;
import org.apache.kafka.tiered.storage.integration.DeleteSegmentsDueToLogStartOffsetBreachTest;
import org.apache.kafka.tiered.storage.integration.DeleteTopicTest;
import org.apache.kafka.tiered.storage.integration.DisableRemoteLogOnTopicTest;
import org.apache.kafka.tiered.storage.integration.EnableRemoteLogOnTopicTest;
import org.apache.kafka.tiered.storage.integration.FetchFromLeaderWithCorruptedCheckpointTest;
import org.apache.kafka.tiered.storage.integration.ListOffsetsTest;
import org.apache.kafka.tiered.storage.integration.OffloadAndConsumeFromLeaderTest;
import org.apache.kafka.tiered.storage.integration.OffloadAndTxnConsumeFromLeaderTest;
import org.apache.kafka.tiered.storage.integration.PartitionsExpandTest;
import org.apache.kafka.tiered.storage.integration.ReassignReplicaExpandTest;
import org.apache.kafka.tiered.storage.integration.ReassignReplicaMoveTest;
import org.apache.kafka.tiered.storage.integration.ReassignReplicaShrinkTest;
import org.apache.kafka.tiered.storage.integration.RollAndOffloadActiveSegmentTest;
import org.junit.jupiter.api.Nested;

/** Kafka's own tests of tiered storage. Each runs twice, for the classic consumer protocol and for the new one. */
final class KafkaTieredStorageTest {

    @Nested
    final class AlterLogDir extends CatalogueTestHarness {
        AlterLogDir() {
            super(new AlterLogDirTest());
        }
    }

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
    final class DeleteSegmentsDueToLogStartOffsetBreach extends CatalogueTestHarness {
        DeleteSegmentsDueToLogStartOffsetBreach() {
            super(new DeleteSegmentsDueToLogStartOffsetBreachTest());
        }
    }

    @Nested
    final class DeleteTopic extends CatalogueTestHarness {
        DeleteTopic() {
            super(new DeleteTopicTest());
        }
    }

    @Nested
    final class DisableRemoteLogOnTopic extends CatalogueTestHarness {
        DisableRemoteLogOnTopic() {
            super(new DisableRemoteLogOnTopicTest());
        }
    }

    @Nested
    final class EnableRemoteLogOnTopic extends CatalogueTestHarness {
        EnableRemoteLogOnTopic() {
            super(new EnableRemoteLogOnTopicTest());
        }
    }

    @Nested
    final class FetchFromLeaderWithCorruptedCheckpoint extends CatalogueTestHarness {
        FetchFromLeaderWithCorruptedCheckpoint() {
            super(new FetchFromLeaderWithCorruptedCheckpointTest());
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
    final class ReassignReplicaExpand extends MetadataTopicTestHarness {
        ReassignReplicaExpand() {
            super(new ReassignReplicaExpandTest());
        }
    }

    @Nested
    final class ReassignReplicaMove extends MetadataTopicTestHarness {
        ReassignReplicaMove() {
            super(new ReassignReplicaMoveTest());
        }
    }

    @Nested
    final class ReassignReplicaShrink extends CatalogueTestHarness {
        ReassignReplicaShrink() {
            super(new ReassignReplicaShrinkTest());
        }
    }

    @Nested
    final class RollAndOffloadActiveSegment extends CatalogueTestHarness {
        RollAndOffloadActiveSegment() {
            super(new RollAndOffloadActiveSegmentTest());
        }
    }
}
