package dev.shelfmark.jdbc;

import dev.shelfmark.store.PartitionCommit;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one partition. A commit is a single statement outside of any transaction: one round trip, applied as a whole or not at
 * all. Its first part changes the head if it is at the expected version, and waits for whoever else is at it; the other parts
 * work on the id that the first returns, so that without it they do nothing.
 *
 * <p>At READ COMMITTED the first part sees what the other writer left, while the parts after it still look at the statement's
 * snapshot. Rightly so: who expects a version has seen it, so the snapshot has all that it and the versions before it put, and at any
 * later version the commit does not apply. Whether there is a record of a segment that is taken for new, and the rows of
 * those that are known, can be asked of it.
 */
final class CommitDao {

    /** What is in braces is the segment's: a parameter where there is one segment, else a column of the rows that come from arrays. */
    private static final String PUT_SEGMENTS = """
            , put as (
              insert into <schema>.segment (
                partition_id, segment_id, start_offset, end_offset, max_timestamp_ms, event_timestamp_ms, version,
                finished_version, size_in_bytes, broker_id, state, txn_index_empty, leader_epochs, epoch_start_offsets,
                custom_metadata, deleted_at, deleted_from)
              select head.id, {segmentId}, {startOffset}, {endOffset}, {maxTimestamp}, {eventTimestamp}, {segmentVersion},
                     {finishedVersion}, {size}, {brokerId}, {state}, {txnIndexEmpty},
                     cast({leaderEpochs} as int[]), cast({epochStartOffsets} as bigint[]), decode({customMetadata}, 'hex'),
                     case when {live} then null else now() end, case when {live} then null else :clusterId end
              from <rows>
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
              set event_timestamp_ms = {eventTimestamp},
                  version = {segmentVersion},
                  finished_version = {finishedVersion},
                  broker_id = {brokerId},
                  state = {state},
                  custom_metadata = decode({customMetadata}, 'hex'),
                  deleted_at = case when not {live} then coalesce(segment.deleted_at, now()) end,
                  deleted_from = case when not {live} then :clusterId end
              from <rows>
              where segment.ctid = (
                select there.ctid
                from <schema>.segment there
                where there.partition_id = head.id and there.segment_id = {segmentId}
                limit 1)
                and (segment.partition_id, segment.segment_id) is not distinct from (head.id, {segmentId})
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

    /** In braces, likewise, what is the change's. */
    private static final String KEEP_CHANGES = """
            , kept as (
              insert into <schema>.state_change (
                partition_id, version, recorded_at, expires_at, event_timestamp_ms, segment_id, broker_id, from_state, to_state)
              select head.id, {changeVersion}, now(), now() + :historyMillis * interval '1 millisecond', {changeTimestamp},
                     cast({changeSegment} as uuid), {changeBroker}, cast({changeFrom} as int), {changeTo}
              from <rows>
              on conflict do nothing
            )""";

    /** The same in one row, for a commit of several. */
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

    /** The SQLSTATE of that. */
    private static final String NOT_A_BOOLEAN = "22P02";

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

    /**
     * By the rows' places, which stay theirs while they are locked: whatever the planner expects, it can't come to read the whole table. A
     * plan for any limit expects a tenth of all that is due, and would join them by reading everything. Rows that another broker is about to
     * purge are passed over. Where the table is one of several parts, a place is one in each of them, and what is not due stays: asked in words
     * that no index is made of.
     */
    static final String PURGE = """
            delete from <schema>.segment
            where ctid = any (array(
              select ctid
              from <schema>.segment
              where deleted_from = :clusterId and deleted_at < now() - :retentionMillis * interval '1 millisecond'
              order by deleted_at
              limit :limit
              for update skip locked
            ))
              and (deleted_from = :clusterId and deleted_at < now() - :retentionMillis * interval '1 millisecond') is true
            """;

    /** The same way. */
    static final String PURGE_CHANGES = purgeOf("state_change");

    static final String PURGE_GROUPS = purgeOf("state_change_group");

    private static String purgeOf(String table) {
        return """
            delete from <schema>.{table}
            where ctid = any (array(
              select ctid
              from <schema>.{table}
              where expires_at <= now()
              order by expires_at
              limit :limit
              for update skip locked
            ))
            """.replace("{table}", table);
    }

    /** How a commit's records travel. */
    enum Rows {
        /** One, and one change of it, as in nearly every commit: as plain values. */
        ONE,
        /** Any, as arrays. */
        MANY,
        /** Any that go on from records that are there: as arrays of what may change. */
        UPDATES
    }

    /** How a commit's changes are kept in the history. */
    enum Kept {
        NOT,
        EACH,
        TOGETHER
    }

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
    record Shape(boolean first, Rows rows, boolean takesForNew, boolean raises, Kept kept) {

        static Shape of(PartitionCommit commit, Set<UUID> newSegments, History history) {
            boolean first = commit.expectedVersion() == 0;
            Rows rows = rows(commit, newSegments);
            return new Shape(
                    first,
                    rows,
                    !first && !newSegments.isEmpty(),
                    !commit.head().highestOffsets().isEmpty(),
                    history.kept(commit));
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

        static List<Shape> all() {
            List<Shape> all = new ArrayList<>();
            for (Rows rows : Rows.values()) {
                for (Kept kept : Kept.values()) {
                    for (boolean raises : new boolean[] {false, true}) {
                        if (rows != Rows.UPDATES) {
                            all.add(new Shape(true, rows, false, raises, kept));
                            all.add(new Shape(false, rows, true, raises, kept));
                        }
                        all.add(new Shape(false, rows, false, raises, kept));
                    }
                }
            }
            all.removeIf(shape -> shape.rows == Rows.ONE && shape.kept == Kept.TOGETHER);
            return all;
        }

        /** The same commit with whole records. */
        Shape withWholeRecords() {
            return new Shape(first, Rows.MANY, takesForNew, raises, kept);
        }

        Columns<SegmentRecord> columns() {
            return rows == Rows.UPDATES ? SegmentColumns.UPDATED : SegmentColumns.ALL;
        }

        String text() {
            String text = (first ? CREATE : UPDATE.replace("<unless there>", takesForNew ? unlessThere() : ""))
                    + withRows(
                            rows == Rows.UPDATES ? UPDATE_SEGMENTS : PUT_SEGMENTS,
                            columns().names())
                    + (raises ? RAISE_HIGHEST_OFFSETS : "")
                    + switch (kept) {
                        case NOT -> "";
                        case EACH -> withRows(KEEP_CHANGES, ChangeColumns.ALL.names());
                        case TOGETHER -> KEEP_CHANGES_TOGETHER;
                    }
                    + (rows == Rows.UPDATES ? WHETHER_APPLIED_TO_ALL : WHETHER_APPLIED);
            // The server copies the text with each run.
            return text.lines().map(String::strip).collect(Collectors.joining(" "));
        }

        private String unlessThere() {
            return rows == Rows.ONE ? UNLESS_IT_IS_THERE : UNLESS_THEY_ARE_THERE;
        }

        private String withRows(String text, List<String> columns) {
            if (rows == Rows.ONE) {
                return text.replace("{", ":").replace("}", "").replace("<rows>", "head");
            }
            return text.replace("{", "s.")
                    .replace("}", "")
                    .replace(
                            "<rows>",
                            columns.stream()
                                            .map(name -> ":" + name)
                                            .collect(Collectors.joining(", ", "head cross join unnest(", ")"))
                                    + columns.stream().collect(Collectors.joining(", ", " as s (", ")")));
        }
    }

    /**
     * What is to be kept of changes.
     *
     * @param millis for how long; 0 keeps nothing
     * @param inGroups whether the schema has a place for several in one row
     */
    record History(long millis, boolean inGroups) {

        Kept kept(PartitionCommit commit) {
            if (commit.changes().isEmpty() || millis == 0) {
                return Kept.NOT;
            }
            return commit.changes().size() == 1 || !inGroups ? Kept.EACH : Kept.TOGETHER;
        }

        /** How many rows a commit adds. */
        int rows(PartitionCommit commit) {
            return switch (kept(commit)) {
                case NOT -> 0;
                case EACH -> commit.changes().size();
                case TOGETHER -> 1;
            };
        }
    }

    private final SchemaName schema;
    private final Map<Shape, NamedStatement> statements = new ConcurrentHashMap<>();
    private final NamedStatement purge;
    private final NamedStatement purgeChanges;
    private final NamedStatement purgeGroups;

    CommitDao(SchemaName schema) {
        this.schema = schema;
        purge = NamedStatement.of(schema, PURGE);
        purgeChanges = NamedStatement.of(schema, PURGE_CHANGES);
        purgeGroups = NamedStatement.of(schema, PURGE_GROUPS);
    }

    /** Whether the partition was at the expected version, and everything is put. */
    boolean commit(Connection connection, PartitionKey key, PartitionCommit commit, History history)
            throws SQLException {
        Set<UUID> newSegments = commit.newSegments();
        Shape shape = Shape.of(commit, newSegments, history);
        Map<String, @Nullable Object> values = new HashMap<>();
        if (shape.kept() == Kept.EACH && shape.rows() == Rows.ONE) {
            ChangeColumns.ALL.putOne(commit.changes().get(0), values);
        } else if (shape.kept() != Kept.NOT) {
            ChangeColumns.ALL.putAll(commit.changes(), values);
        }
        putHead(key, commit, values);
        if (shape.raises()) {
            values.put("epochs", epochs(commit.head()));
            values.put("offsets", offsets(commit.head()));
        }
        values.put("historyMillis", history.millis());
        values.put("newSegments", newSegments.toArray(UUID[]::new));
        values.put("segments", commit.segments().size());
        try {
            return run(connection, shape, commit, values);
        } catch (SQLException e) {
            if (shape.rows() == Rows.UPDATES && NOT_A_BOOLEAN.equals(e.getSQLState())) {
                // A row that somebody took away is put again, as it is by a commit of one.
                return run(connection, shape.withWholeRecords(), commit, values);
            }
            throw e;
        }
    }

    private boolean run(
            Connection connection, Shape shape, PartitionCommit commit, Map<String, @Nullable Object> values)
            throws SQLException {
        if (shape.rows() == Rows.ONE) {
            shape.columns().putOne(commit.segments().get(0), values);
        } else {
            shape.columns().putAll(commit.segments(), values);
        }
        NamedStatement text = statements.computeIfAbsent(shape, it -> NamedStatement.of(schema, it.text()));
        try (PreparedStatement statement = text.prepare(connection, values);
                ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }

    private static void putHead(PartitionKey key, PartitionCommit commit, Map<String, @Nullable Object> values) {
        PartitionHead head = commit.head();
        values.put("clusterId", key.clusterId());
        values.put("topicId", key.topicId());
        values.put("partition", key.partition());
        values.put("expectedVersion", commit.expectedVersion());
        values.put("version", head.version());
        values.put("topicName", head.topicName());
        values.put("liveSegments", head.liveSegments());
        values.put("maxOffsetSpan", head.maxOffsetSpan());
        values.put("deletionCode", StateCodes.code(head.deletion()));
    }

    private static int[] epochs(PartitionHead head) {
        return head.highestOffsets().keySet().stream()
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static long[] offsets(PartitionHead head) {
        return head.highestOffsets().values().stream()
                .mapToLong(Long::longValue)
                .toArray();
    }

    /** Removes rows of deleted segments; how many. */
    int purge(Connection connection, String clusterId, long retentionMillis, int limit) throws SQLException {
        Map<String, Object> values = Map.of("clusterId", clusterId, "retentionMillis", retentionMillis, "limit", limit);
        try (PreparedStatement statement = purge.prepare(connection, values)) {
            return statement.executeUpdate();
        }
    }

    /** Removes rows of the history whose time is over; how many. */
    int purgeChanges(Connection connection, int limit) throws SQLException {
        return purge(connection, purgeChanges, limit);
    }

    /** The same of commits of several changes. */
    int purgeGroups(Connection connection, int limit) throws SQLException {
        return purge(connection, purgeGroups, limit);
    }

    private static int purge(Connection connection, NamedStatement text, int limit) throws SQLException {
        try (PreparedStatement statement = text.prepare(connection, Map.of("limit", limit))) {
            return statement.executeUpdate();
        }
    }
}
