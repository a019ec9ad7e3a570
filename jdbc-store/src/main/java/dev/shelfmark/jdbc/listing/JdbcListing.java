package dev.shelfmark.jdbc.listing;

import dev.shelfmark.jdbc.cluster.ClusterDao;
import dev.shelfmark.jdbc.connection.ConnectionPool;
import dev.shelfmark.jdbc.connection.Database;
import dev.shelfmark.jdbc.connection.JdbcStoreConfig;
import dev.shelfmark.jdbc.connection.Request;
import dev.shelfmark.jdbc.connection.SchemaName;
import dev.shelfmark.jdbc.listing.ListingDao.Positioned;
import dev.shelfmark.jdbc.schema.SchemaDao;
import dev.shelfmark.jdbc.schema.SchemaVersion;
import dev.shelfmark.jdbc.schema.ServerStatus;
import dev.shelfmark.store.ClusterRecord;
import dev.shelfmark.store.PartitionKey;
import dev.shelfmark.store.SegmentRecord;
import dev.shelfmark.store.StoreContext;
import dev.shelfmark.store.admin.CatalogueListing;
import dev.shelfmark.store.admin.PartitionSummary;
import dev.shelfmark.store.admin.RecordedChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Listings on PostgreSQL: a statement for each page, none of which holds a snapshot or a lock for longer than itself. */
public final class JdbcListing implements CatalogueListing {

    private final ConnectionPool pool;
    private final Database database;
    private final SchemaName schema;

    private JdbcListing(ConnectionPool pool, Database database, SchemaName schema) {
        this.pool = pool;
        this.database = database;
        this.schema = schema;
    }

    public static JdbcListing open(JdbcStoreConfig config, StoreContext context) {
        ConnectionPool pool = ConnectionPool.open(config, context.applicationName());
        Database database = new Database(pool, config.schema(), context.listener());
        return new JdbcListing(pool, database, config.schema());
    }

    @Override
    public void verify() {
        ensureOpen();
        int found = database.request(
                Request.read("verify", ""),
                unused -> 1,
                handle -> handle.attach(SchemaDao.class).version());
        SchemaVersion.CURRENT.require(found, schema);
        Optional<String> hidden = database.request(
                Request.read("verify", ""),
                unused -> 1,
                handle -> Optional.ofNullable(handle.attach(SchemaDao.class).hidden(schema.name())));
        if (hidden.isPresent()) {
            throw ServerStatus.hidden(hidden.get(), schema);
        }
    }

    @Override
    public List<ClusterRecord> clusters() {
        ensureOpen();
        return database.request(
                Request.read("clusters", ""),
                List::size,
                handle -> handle.attach(ClusterDao.class).all());
    }

    @Override
    public Page<PartitionSummary> partitions(String clusterId, @Nullable String after, int limit) {
        ListingPosition position = ListingPosition.parse(after);
        return page(
                Request.read("list.partitions", clusterId),
                limit,
                (handle, rows) -> handle.attach(ListingDao.class)
                        .partitions(clusterId, position.id(), (int) position.number(), rows));
    }

    @Override
    public Page<SegmentRecord> segments(PartitionKey key, Kept kept, @Nullable String after, int limit) {
        ListingPosition position = ListingPosition.parse(after);
        return page(Request.read("list.segments", key), limit, (handle, rows) -> {
            ListingDao dao = handle.attach(ListingDao.class);
            return kept == Kept.LIVE
                    ? dao.live(key, position.number(), position.id(), rows)
                    : dao.deleted(key, position.number(), position.id(), rows);
        });
    }

    @Override
    public Page<RecordedChange> history(PartitionKey key, @Nullable String after, int limit) {
        long afterVersion = after == null ? 0 : Long.parseLong(after);
        return page(
                Request.read("list.history", key),
                limit,
                (handle, rows) -> handle.attach(ListingDao.class).history(key, afterVersion, rows));
    }

    private interface Rows<T> {
        List<Positioned<T>> read(Handle handle, int limit);
    }

    /** Asks for one row more than the page holds, which tells whether there is another page. */
    private <T> Page<T> page(Request request, int limit, Rows<T> rows) {
        ensureOpen();
        int size = Math.min(limit, MAX_PAGE);
        List<Positioned<T>> found = database.request(request, List::size, handle -> rows.read(handle, size + 1));
        List<Listed<T>> items = new ArrayList<>();
        found.stream().limit(size).forEach(row -> items.add(row.item()));
        return new Page<>(items, found.size() > size ? found.get(size - 1).position() : null);
    }

    @Override
    public void close() {
        pool.close();
    }

    private void ensureOpen() {
        if (pool.isClosed()) {
            throw Database.closed();
        }
    }
}
