package dev.shelfmark.catalogue.rules;

import static dev.shelfmark.catalogue.Segments.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shelfmark.catalogue.Segments;
import dev.shelfmark.catalogue.rules.MetadataEvent.AddSegment;
import dev.shelfmark.catalogue.rules.MetadataEvent.UpdateSegment;
import dev.shelfmark.catalogue.rules.SegmentLifecycle.Decision;
import dev.shelfmark.kafka.KafkaMapping;
import dev.shelfmark.store.CustomMetadata;
import dev.shelfmark.store.PartitionDeletion;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.SegmentState;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.server.log.remote.storage.RemoteLogSegmentState;
import org.apache.kafka.server.log.remote.storage.RemotePartitionDeleteState;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class SegmentLifecycleTest {

    @ParameterizedTest
    @EnumSource(SegmentState.class)
    void the_table_of_transitions_is_kafkas(SegmentState to) {
        assertThat(SegmentLifecycle.legal(null, to))
                .isEqualTo(RemoteLogSegmentState.isValidTransition(null, KafkaMapping.state(to)));
        for (SegmentState from : SegmentState.values()) {
            assertThat(SegmentLifecycle.legal(from, to))
                    .as("%s to %s", from, to)
                    .isEqualTo(
                            RemoteLogSegmentState.isValidTransition(KafkaMapping.state(from), KafkaMapping.state(to)));
        }
    }

    @ParameterizedTest
    @EnumSource(RemotePartitionDeleteState.class)
    void the_table_of_partition_deletions_is_kafkas(RemotePartitionDeleteState to) {
        PartitionDeletion ours = KafkaMapping.state(to);
        assertThat(SegmentLifecycle.legal(PartitionDeletion.NONE, ours))
                .isEqualTo(RemotePartitionDeleteState.isValidTransition(null, to));
        for (RemotePartitionDeleteState from : RemotePartitionDeleteState.values()) {
            assertThat(SegmentLifecycle.legal(KafkaMapping.state(from), ours))
                    .as("%s to %s", from, to)
                    .isEqualTo(RemotePartitionDeleteState.isValidTransition(from, to));
        }
    }

    @Test
    void codes_are_kafkas() {
        for (SegmentState state : SegmentState.values()) {
            assertThat(state.code()).isEqualTo(KafkaMapping.state(state).id());
            assertThat(SegmentState.ofCode(state.code())).isEqualTo(state);
        }
    }

    /** What is reported when nothing changes, from the class's table. */
    static Stream<Object[]> unappliedUpdates() {
        Class<?> refused = WriteOutcome.Refused.class;
        Class<?> ignored = WriteOutcome.Ignored.class;
        Class<?> done = WriteOutcome.Done.class;
        return Stream.of(
                new Object[] {null, SegmentState.COPY_SEGMENT_FINISHED, refused},
                new Object[] {SegmentState.DELETE_SEGMENT_STARTED, SegmentState.COPY_SEGMENT_FINISHED, refused},
                new Object[] {SegmentState.DELETE_SEGMENT_FINISHED, SegmentState.COPY_SEGMENT_FINISHED, refused},
                new Object[] {null, SegmentState.DELETE_SEGMENT_STARTED, ignored},
                new Object[] {null, SegmentState.DELETE_SEGMENT_FINISHED, ignored},
                new Object[] {SegmentState.DELETE_SEGMENT_FINISHED, SegmentState.DELETE_SEGMENT_STARTED, ignored},
                new Object[] {SegmentState.DELETE_SEGMENT_FINISHED, SegmentState.DELETE_SEGMENT_FINISHED, done},
                new Object[] {SegmentState.COPY_SEGMENT_STARTED, SegmentState.DELETE_SEGMENT_FINISHED, refused},
                new Object[] {SegmentState.COPY_SEGMENT_FINISHED, SegmentState.DELETE_SEGMENT_FINISHED, refused});
    }

    @ParameterizedTest
    @MethodSource("unappliedUpdates")
    void an_update_that_changes_nothing_reports_what_the_broker_may_do_next(
            @Nullable SegmentState from, SegmentState to, Class<?> outcome) {
        Decision decision = SegmentLifecycle.decide(
                from == null ? null : in(from), new UpdateSegment(id(1), to, null, 9, 9_999), 7);

        assertThat(decision.next()).isEmpty();
        assertThat(decision.outcome()).isInstanceOf(outcome);
        if (decision.outcome() instanceof WriteOutcome.Refused refusal) {
            assertThat(refusal.missing()).isEqualTo(from == null);
            assertThat(refusal.reason()).contains(to.name()).contains(from == null ? "unknown" : from.name());
        }
    }

    @Test
    void an_update_replaces_four_fields_and_keeps_the_rest() {
        SegmentRecord started = withCustom(in(SegmentState.COPY_SEGMENT_STARTED), new byte[] {1, 2});

        SegmentRecord finished = put(SegmentLifecycle.decide(
                started,
                new UpdateSegment(id(1), SegmentState.COPY_SEGMENT_FINISHED, CustomMetadata.of(new byte[] {3}), 9, 77),
                7));

        assertThat(finished)
                .isEqualTo(started.toBuilder()
                        .state(SegmentState.COPY_SEGMENT_FINISHED)
                        .customMetadata(CustomMetadata.of(new byte[] {3}))
                        .brokerId(9)
                        .eventTimestampMs(77)
                        .version(7)
                        .finishedVersion(7)
                        .build());
    }

    @Test
    void an_update_without_custom_metadata_clears_it() {
        SegmentRecord started = withCustom(in(SegmentState.COPY_SEGMENT_STARTED), new byte[] {1});

        assertThat(put(SegmentLifecycle.decide(
                                started, new UpdateSegment(id(1), SegmentState.COPY_SEGMENT_FINISHED, null, 9, 77), 7))
                        .customMetadata())
                .isNull();
    }

    @Test
    void a_repeat_wins_with_its_fields_but_keeps_its_place_among_the_finished() {
        SegmentRecord finished = put(SegmentLifecycle.decide(
                in(SegmentState.COPY_SEGMENT_STARTED),
                new UpdateSegment(id(1), SegmentState.COPY_SEGMENT_FINISHED, null, 1, 10),
                7));

        SegmentRecord repeated = put(SegmentLifecycle.decide(
                finished, new UpdateSegment(id(1), SegmentState.COPY_SEGMENT_FINISHED, null, 2, 20), 9));

        assertThat(repeated.brokerId()).isEqualTo(2);
        assertThat(repeated.eventTimestampMs()).isEqualTo(20);
        assertThat(repeated.version()).isEqualTo(9);
        assertThat(repeated.finishedVersion()).isEqualTo(7);
    }

    @Test
    void an_identical_repeat_changes_nothing() {
        UpdateSegment update = new UpdateSegment(id(1), SegmentState.COPY_SEGMENT_FINISHED, null, 1, 10);
        SegmentRecord finished = put(SegmentLifecycle.decide(in(SegmentState.COPY_SEGMENT_STARTED), update, 7));

        Decision repeated = SegmentLifecycle.decide(finished, update, 9);

        assertThat(repeated.next()).isEmpty();
        assertThat(repeated.outcome()).isEqualTo(new WriteOutcome.Done(false));
    }

    @Test
    void a_segment_is_added_again_only_while_its_upload_goes_on() {
        AddSegment again = new AddSegment(Segments.segment(1, 0, 20, Map.of(0, 0L)));

        assertThat(put(SegmentLifecycle.decide(in(SegmentState.COPY_SEGMENT_STARTED), again, 7))
                        .endOffset())
                .isEqualTo(20);
        for (SegmentState later : SegmentState.values()) {
            if (later != SegmentState.COPY_SEGMENT_STARTED) {
                Decision decision = SegmentLifecycle.decide(in(later), again, 7);
                assertThat(decision.next()).isEmpty();
                assertThat(decision.outcome()).isInstanceOf(WriteOutcome.Refused.class);
            }
        }
    }

    private static SegmentRecord put(Decision decision) {
        assertThat(decision.outcome()).isEqualTo(new WriteOutcome.Done(true));
        return decision.next().orElseThrow();
    }

    private static SegmentRecord in(SegmentState state) {
        SegmentRecord s = Segments.segment(1, 0, 10, Map.of(0, 0L));
        return s.toBuilder()
                .state(state)
                .version(3)
                .finishedVersion(state == SegmentState.COPY_SEGMENT_STARTED ? 0 : 3)
                .build();
    }

    private static SegmentRecord withCustom(SegmentRecord s, byte[] custom) {
        return s.toBuilder()
                .customMetadata(Optional.of(custom).map(CustomMetadata::of).orElse(null))
                .build();
    }
}
