package dev.shelfmark.compat.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.server.log.remote.storage.RemoteLogMetadataManager;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentMetadata;
import org.junit.jupiter.api.Test;

/** The check itself: our rules against Kafka's cache on many sequences, and that it finds what is wrong. */
final class ModelCheckTest {

    private static ModelSubject alone(RemoteLogMetadataManager manager) {
        return new ModelSubject() {
            @Override
            public RemoteLogMetadataManager broker(int number) {
                return manager;
            }

            @Override
            public void restart(int number) {
                // Our rules forget nothing.
            }
        };
    }

    @Test
    void ourRulesDifferFromKafkaOnlyInKnownWaysAndEachOfThemHappens() {
        ModelCheck check = new ModelCheck(alone(new NaiveCatalogue()), true, false);
        for (long seed = 0; seed < 400; seed++) {
            check.check(seed);
        }
        System.out.println("Known differences met: " + check.differences());
        assertThat(check.differences()).containsOnlyKeys(KnownDifference.values());
    }

    @Test
    void sequencesAreTheSameForTheSameSeed() {
        SequenceGenerator.Features features = new SequenceGenerator.Features(true, true);
        assertThat(SequenceGenerator.sequence(7, features)).isEqualTo(SequenceGenerator.sequence(7, features));
        assertThat(SequenceGenerator.sequence(7, features)).isNotEqualTo(SequenceGenerator.sequence(8, features));
    }

    @Test
    void anErrorIsFoundAndShrunk() {
        ModelSubject wrong = alone(new OffByOneAtAnEpochsEnd());
        assertThatThrownBy(() -> {
                    ModelCheck check = new ModelCheck(wrong, false, false);
                    for (long seed = 0; seed < 100; seed++) {
                        check.check(seed);
                    }
                })
                .isInstanceOf(AssertionError.class)
                .hasMessageMatching(
                        "(?s)seed \\d+, shrunk to:\n  0: add S.*\n  1: S.*COPY_SEGMENT_FINISHED.*\nafter step 1, lookup.*");
    }

    /** Answers an epoch's last offset with nothing. */
    private static final class OffByOneAtAnEpochsEnd extends NaiveCatalogue {
        @Override
        public Optional<RemoteLogSegmentMetadata> remoteLogSegmentMetadata(
                TopicIdPartition partition, int epoch, long offset) {
            return super.remoteLogSegmentMetadata(partition, epoch, offset)
                    .filter(segment -> Epochs.end(segment, epoch) > offset);
        }
    }

    @Test
    void theShrinkerKeepsWhatIsNeeded() {
        List<Operation> sequence = SequenceGenerator.sequence(3, new SequenceGenerator.Features(false, false));
        Operation needed = sequence.get(sequence.size() / 2);
        assertThat(Shrinker.shrink(sequence, less -> less.contains(needed))).containsExactly(needed);
    }
}
