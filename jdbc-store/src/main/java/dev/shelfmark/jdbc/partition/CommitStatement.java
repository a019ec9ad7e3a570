package dev.shelfmark.jdbc.partition;

import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.SegmentRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * What a commit is like; each has a statement of its own, without what it does not need, as taking arrays apart and looking at nothing
 * take the server as long as the change itself.
 *
 * @param first whether it is the partition's first
 * @param rows how its records travel
 * @param takesForNew whether it is to apply only where nothing is kept of the segments that it takes for new; the first one's can't be there
 * @param raises whether it raises highest offsets
 * @param kept how its changes are kept
 */
public record CommitStatement(boolean first, Rows rows, boolean takesForNew, boolean raises, Kept kept) {

    private static final String PUT_ONE_SEGMENT = """
            , put as (
              insert into <schema>.segment (
                partition_id, segment_id, start_offset, end_offset, max_timestamp_ms, event_timestamp_ms, version,
                finished_version, size_in_bytes, broker_id, state, txn_index_empty, leader_epochs, epoch_start_offsets,
                custom_metadata, deleted_at, deleted_from)
              select head.id, :segmentId, :startOffset, :endOffset, :maxTimestamp, :eventTimestamp, :segmentVersion,
                     :finishedVersion, :size, :brokerId, :state, :txnIndexEmpty,
                     cast(:leaderEpochs as int[]), cast(:epochStartOffsets as bigint[]), decode(:customMetadata, 'hex'),
                     case when :live then null else now() end, case when :live then null else :clusterId end
              from head
            """;

    private static final String PUT_SEGMENTS = """
            , put as (
              insert into <schema>.segment (
                partition_id, segment_id, start_offset, end_offset, max_timestamp_ms, event_timestamp_ms, version,
                finished_version, size_in_bytes, broker_id, state, txn_index_empty, leader_epochs, epoch_start_offsets,
                custom_metadata, deleted_at, deleted_from)
              select head.id, s.segment_id, s.start_offset, s.end_offset, s.max_timestamp, s.event_timestamp, s.version,
                     s.finished_version, s.size, s.broker_id, s.state, s.txn_index_empty,
                     cast(s.leader_epochs as int[]), cast(s.epoch_start_offsets as bigint[]), decode(s.custom_metadata, 'hex'),
                     case when s.live then null else now() end, case when s.live then null else :clusterId end
              from head cross join unnest(
                  :segmentId, :startOffset, :endOffset, :maxTimestamp, :eventTimestamp, :segmentVersion, :finishedVersion,
                  :size, :brokerId, :state, :live, :txnIndexEmpty, :leaderEpochs, :epochStartOffsets, :customMetadata)
                as s (
                  segment_id, start_offset, end_offset, max_timestamp, event_timestamp, version, finished_version,
                  size, broker_id, state, live, txn_index_empty, leader_epochs, epoch_start_offsets, custom_metadata)
            """;

    /** What both end with: a record that is there takes the new one's values, and stays deleted since when it was. */
    private static final String OR_REPLACE = """
              on conflict (partition_id, segment_id) do update set
                start_offset = excluded.start_offset,
                end_offset = excluded.end_offset,
                max_timestamp_ms = excluded.max_timestamp_ms,
                event_timestamp_ms = excluded.event_timestamp_ms,
                version = excluded.version,
                finished_version = excluded.finished_version,
                size_in_bytes = excluded.size_in_bytes,
                broker_id = excluded.broker_id,
                state = excluded.state,
                txn_index_empty = excluded.txn_index_empty,
                leader_epochs = excluded.leader_epochs,
                epoch_start_offsets = excluded.epoch_start_offsets,
                custom_metadata = excluded.custom_metadata,
                deleted_at = case when excluded.deleted_at is not null
                                  then coalesce(segment.deleted_at, excluded.deleted_at) end,
                deleted_from = excluded.deleted_from
            )""";

    /**
     * The same of segments that are there and go on: for what is settled when a copy begins nothing has to be sent, and nothing be put back
     * when a row is in the way, which together is a sixth of the work. Each row is found by a probe of its own, and then by its place: a join would
     * read a partition from end to end wherever most of them are small. Where the table is one of several parts, each has a row at that place;
     * it is told by its key, in words that no index and no join are made of.
     */
    private static final String UPDATE_SEGMENTS = """
            , put as (
              update <schema>.segment
              set event_timestamp_ms = s.event_timestamp,
                  version = s.version,
                  finished_version = s.finished_version,
                  broker_id = s.broker_id,
                  state = s.state,
                  custom_metadata = decode(s.custom_metadata, 'hex'),
                  deleted_at = case when not s.live then coalesce(segment.deleted_at, now()) end,
                  deleted_from = case when not s.live then :clusterId end
              from head cross join unnest(
                  :segmentId, :eventTimestamp, :segmentVersion, :finishedVersion, :brokerId, :state, :live, :customMetadata)
                as s (segment_id, event_timestamp, version, finished_version, broker_id, state, live, custom_metadata)
              where segment.ctid = (
                select there.ctid
                from <schema>.segment there
                where there.partition_id = head.id and there.segment_id = s.segment_id
                limit 1)
                and (segment.partition_id, segment.segment_id) is not distinct from (head.id, s.segment_id)
              returning true
            )""";

    private static final String RAISE_HIGHEST_OFFSETS = """
            , raised as (
              insert into <schema>.epoch_highest_offset (partition_id, leader_epoch, highest_offset, version)
              select head.id, e.leader_epoch, e.highest_offset, :version
              from head
              cross join unnest(:epochs, :offsets) as e (leader_epoch, highest_offset)
              on conflict (partition_id, leader_epoch) do update set
                highest_offset = excluded.highest_offset,
                version = excluded.version
            )""";

    private static final String KEEP_CHANGE = """
            , kept as (
              insert into <schema>.state_change (
                partition_id, version, recorded_at, expires_at, event_timestamp_ms, segment_id, broker_id, from_state, to_state)
              select head.id, :changeVersion, now(), now() + :historyMillis * interval '1 millisecond', :changeTimestamp,
                     cast(:changeSegment as uuid), :changeBroker, cast(:changeFrom as int), :changeTo
              from head
              on conflict do nothing
            )""";

    /** Several changes of one commit, in one row. */
    private static final String KEEP_CHANGES_TOGETHER = """
            , kept as (
              insert into <schema>.state_change_group (
                partition_id, version, recorded_at, expires_at, versions, event_timestamps_ms, segment_ids, broker_ids,
                from_states, to_states)
              select head.id, :version, now(), now() + :historyMillis * interval '1 millisecond', :changeVersion,
                     :changeTimestamp, :changeSegment, :changeBroker, cast(:changeFrom as smallint[]), cast(:changeTo as smallint[])
              from head
              on conflict do nothing
            )""";

    private static final String WHETHER_APPLIED = " select exists (select from head)";

    /** Nothing may stay when a row that is to be updated is not there: SQL has no other way to raise an error than to do what can't be done. */
    private static final String WHETHER_APPLIED_TO_ALL = """
             select case
               when not exists (select from head) then false
               when (select count(*) from put) = :segments then true
               else cast('rows found: ' || (select count(*) from put) as boolean)
             end""";

    /** The first commit of a partition. */
    private static final String CREATE = """
            with head as (
              insert into <schema>.topic_partition (
                cluster_id, topic_id, partition, topic_name, version, live_segments, max_offset_span, deletion)
              values (
                :clusterId, :topicId, :partition, :topicName, :version, :liveSegments, :maxOffsetSpan,
                cast(:deletionCode as smallint))
              on conflict (cluster_id, topic_id, partition) do nothing
              returning id
            )""";

    /** Every later one. */
    private static final String UPDATE = """
            with head as (
              update <schema>.topic_partition
              set version = :version, topic_name = :topicName, live_segments = :liveSegments,
                  max_offset_span = :maxOffsetSpan, deletion = cast(:deletionCode as smallint)
              where cluster_id = :clusterId and topic_id = :topicId and partition = :partition and version = :expectedVersion
                <unless there>
              returning id
            )""";

    /** What a later commit asks when it takes a segment for new: one probe of the primary key, and no choice, as in {@link PartitionDao#BY_ID}. */
    private static final String UNLESS_IT_IS_THERE = """
            and (
              select true
              from <schema>.segment s
              where s.partition_id = topic_partition.id and s.segment_id = :segmentId
              limit 1) is null""";

    /** The same of many segments. */
    private static final String UNLESS_THEY_ARE_THERE = """
            and not exists (
              select from unnest(:newSegments) as taken (segment_id)
              where (
                select true
                from <schema>.segment s
                where s.partition_id = topic_partition.id and s.segment_id = taken.segment_id
                limit 1))""";

    /** How a commit's records travel. */
    public enum Rows {
        /** One, and one change of it, as in nearly every commit: as plain values. */
        ONE,
        /** Any, as arrays. */
        MANY,
        /** Any that go on from records that are there: as arrays of what may change. */
        UPDATES
    }

    /** How a commit's changes are kept in the history. */
    public enum Kept {
        NOT,
        /** One change, as plain values. */
        ONE,
        /** Several in one row, as arrays. */
        TOGETHER;

        /**
         * Of a commit.
         *
         * @param historyMillis for how long changes are kept; 0 keeps none
         */
        public static Kept of(PartitionCommit commit, long historyMillis) {
            if (commit.changes().isEmpty() || historyMillis == 0) {
                return NOT;
            }
            return commit.changes().size() == 1 ? ONE : TOGETHER;
        }
    }

    static CommitStatement of(PartitionCommit commit, Set<UUID> newSegments, long historyMillis) {
        boolean first = commit.expectedVersion() == 0;
        Rows rows = rows(commit, newSegments);
        return new CommitStatement(
                first,
                rows,
                !first && !newSegments.isEmpty(),
                !commit.head().highestOffsets().isEmpty(),
                Kept.of(commit, historyMillis));
    }

    private static Rows rows(PartitionCommit commit, Set<UUID> newSegments) {
        if (commit.segments().size() == 1
                && commit.changes().size() == 1
                && (newSegments.isEmpty()
                        || newSegments.contains(commit.segments().get(0).segmentId()))) {
            return Rows.ONE;
        }
        return !commit.segments().isEmpty() && commit.onlyUpdates() ? Rows.UPDATES : Rows.MANY;
    }

    public static List<CommitStatement> all() {
        List<CommitStatement> all = new ArrayList<>();
        for (Rows rows : Rows.values()) {
            for (Kept kept : Kept.values()) {
                for (boolean raises : new boolean[] {false, true}) {
                    if (rows != Rows.UPDATES) {
                        all.add(new CommitStatement(true, rows, false, raises, kept));
                        all.add(new CommitStatement(false, rows, true, raises, kept));
                    }
                    all.add(new CommitStatement(false, rows, false, raises, kept));
                }
            }
        }
        all.removeIf(shape -> shape.rows == Rows.ONE && shape.kept == Kept.TOGETHER);
        return all;
    }

    /** The same commit with whole records. */
    CommitStatement withWholeRecords() {
        return new CommitStatement(first, Rows.MANY, takesForNew, raises, kept);
    }

    Columns<SegmentRecord> columns() {
        return rows == Rows.UPDATES ? SegmentArrays.UPDATED : SegmentArrays.ALL;
    }

    public String text() {
        String text = (first ? CREATE : UPDATE.replace("<unless there>", takesForNew ? unlessThere() : ""))
                + switch (rows) {
                    case ONE -> PUT_ONE_SEGMENT + OR_REPLACE;
                    case MANY -> PUT_SEGMENTS + OR_REPLACE;
                    case UPDATES -> UPDATE_SEGMENTS;
                }
                + (raises ? RAISE_HIGHEST_OFFSETS : "")
                + switch (kept) {
                    case NOT -> "";
                    case ONE -> KEEP_CHANGE;
                    case TOGETHER -> KEEP_CHANGES_TOGETHER;
                }
                + (rows == Rows.UPDATES ? WHETHER_APPLIED_TO_ALL : WHETHER_APPLIED);
        // The server copies the text with each run.
        return text.lines().map(String::strip).collect(Collectors.joining(" "));
    }

    private String unlessThere() {
        return rows == Rows.ONE ? UNLESS_IT_IS_THERE : UNLESS_THEY_ARE_THERE;
    }
}
