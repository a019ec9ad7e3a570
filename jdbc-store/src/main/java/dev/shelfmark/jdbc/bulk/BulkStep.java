package dev.shelfmark.jdbc.bulk;

import dev.shelfmark.jdbc.connection.SchemaName;
import dev.shelfmark.jdbc.partition.StateCodes;
import dev.shelfmark.store.PartitionHead;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.admin.BulkLoader.LoadResult;
import dev.shelfmark.store.admin.PartitionLoad;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** Loads of different partitions, within a transaction that the caller ends. */
final class BulkStep {

    private final Handle handle;
    private final SchemaName schema;
    private final String clusterId;
    private final BulkDao dao;

    BulkStep(Handle handle, SchemaName schema, String clusterId) {
        this.handle = handle;
        this.schema = schema;
        this.clusterId = clusterId;
        this.dao = handle.attach(BulkDao.class);
    }

    /** Writes all of it, or tells that a partition is not at its expected version. */
    LoadResult apply(List<PartitionLoad> loads) {
        Map<Place, Long> ids = new HashMap<>();
        writeHeads(loads.stream().filter(load -> load.expectedVersion() == 0).toList(), dao::create, ids);
        writeHeads(loads.stream().filter(load -> load.expectedVersion() > 0).toList(), dao::update, ids);
        if (ids.size() < loads.size()) {
            return LoadResult.VERSION_CONFLICT;
        }
        deleteSegments(loads, ids);
        copySegments(loads, ids);
        raiseHighestOffsets(loads, ids);
        putProgress(loads);
        return LoadResult.LOADED;
    }

    private record Place(UUID topicId, int partition) {
        static Place of(PartitionLoad load) {
            return new Place(load.key().topicId(), load.key().partition());
        }
    }

    private interface Heads {
        List<BulkDao.Written> write(String clusterId, Map<String, Object> heads);
    }

    private void writeHeads(List<PartitionLoad> loads, Heads heads, Map<Place, Long> ids) {
        if (!loads.isEmpty()) {
            heads.write(clusterId, columns(loads))
                    .forEach(written -> ids.put(new Place(written.topicId(), written.partition()), written.id()));
        }
    }

    private static Map<String, Object> columns(List<PartitionLoad> loads) {
        return Map.of(
                "topicIds", objects(loads, load -> load.key().topicId(), UUID[]::new),
                "partitions", ints(loads, load -> load.key().partition()),
                "topicNames", objects(loads, load -> load.head().topicName(), String[]::new),
                "versions", longs(loads, load -> load.head().version()),
                "liveSegments", longs(loads, load -> load.head().liveSegments()),
                "maxOffsetSpans", longs(loads, load -> load.head().maxOffsetSpan()),
                "deletions", objects(loads, BulkStep::deletion, Integer[]::new),
                "expectedVersions", longs(loads, PartitionLoad::expectedVersion));
    }

    private static @Nullable Integer deletion(PartitionLoad load) {
        Short code = StateCodes.code(load.head().deletion());
        return code == null ? null : code.intValue();
    }

    /** What is replaced is deleted and copied anew: COPY only inserts. */
    private void deleteSegments(List<PartitionLoad> loads, Map<Place, Long> ids) {
        List<Long> partitionIds = new ArrayList<>();
        List<UUID> segmentIds = new ArrayList<>();
        for (PartitionLoad load : loads) {
            load.replaced().forEach(segment -> segmentIds.add(segment.segmentId()));
            segmentIds.addAll(load.removed());
            while (partitionIds.size() < segmentIds.size()) {
                partitionIds.add(id(ids, load));
            }
        }
        if (!segmentIds.isEmpty()) {
            dao.delete(longs(partitionIds, Long::longValue), segmentIds.toArray(UUID[]::new));
        }
    }

    private void copySegments(List<PartitionLoad> loads, Map<Place, Long> ids) {
        try {
            PGConnection connection = handle.getConnection().unwrap(PGConnection.class);
            try (SegmentCopy copy = new SegmentCopy(connection, schema)) {
                for (PartitionLoad load : loads) {
                    long id = id(ids, load);
                    for (SegmentRecord segment : load.added()) {
                        copy.add(id, segment);
                    }
                    for (SegmentRecord segment : load.replaced()) {
                        copy.add(id, segment);
                    }
                }
                copy.end();
            }
        } catch (SQLException e) {
            throw new UnableToExecuteStatementException("copy of segments", e, null);
        }
    }

    private void raiseHighestOffsets(List<PartitionLoad> loads, Map<Place, Long> ids) {
        List<long[]> rows = new ArrayList<>();
        for (PartitionLoad load : loads) {
            PartitionHead head = load.head();
            head.highestOffsets()
                    .forEach((epoch, offset) -> rows.add(new long[] {id(ids, load), epoch, offset, head.version()}));
        }
        if (!rows.isEmpty()) {
            dao.raise(
                    longs(rows, row -> row[0]),
                    ints(rows, row -> (int) row[1]),
                    longs(rows, row -> row[2]),
                    longs(rows, row -> row[3]));
        }
    }

    private void putProgress(List<PartitionLoad> loads) {
        handle.attach(ImportDao.class)
                .putProgress(
                        clusterId,
                        ints(loads, PartitionLoad::source),
                        objects(loads, load -> load.key().topicId(), UUID[]::new),
                        ints(loads, load -> load.key().partition()),
                        longs(loads, load -> load.progress().nextOffset()),
                        objects(loads, load -> load.progress().note(), String[]::new));
    }

    private static long id(Map<Place, Long> ids, PartitionLoad load) {
        Long id = ids.get(Place.of(load));
        if (id == null) {
            throw new IllegalStateException("no id of " + load.key());
        }
        return id;
    }

    private static <E> long[] longs(List<E> rows, ToLongFunction<E> column) {
        return rows.stream().mapToLong(column).toArray();
    }

    private static <E> int[] ints(List<E> rows, ToIntFunction<E> column) {
        return rows.stream().mapToInt(column).toArray();
    }

    private static <E, T extends @Nullable Object> T[] objects(
            List<E> rows, Function<E, T> column, IntFunction<T[]> array) {
        return rows.stream().map(column).toArray(array);
    }
}
