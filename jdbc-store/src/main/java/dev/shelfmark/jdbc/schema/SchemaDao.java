package dev.shelfmark.jdbc.schema;

import org.jdbi.v3.sqlobject.statement.SqlQuery;
import org.jspecify.annotations.Nullable;

/** What a store asks before it trusts its schema, its role and its server. */
public interface SchemaDao {

    String VERSION = """
            select coalesce(max(version::int), 0)
            from <schema>.schema_history
            where success and version is not null
            """;

    /** Tables of which this role may not be shown every row, null for none. */
    String HIDDEN = """
            select string_agg(table_name, ', ' order by table_name)
            from unnest(array['cluster', 'topic_partition', 'segment', 'epoch_highest_offset']) as needed (table_name)
            where row_security_active(cast(format('%I.%I', cast(:schemaName as text), table_name) as regclass))
            """;

    String SERVER = """
            select pg_is_in_recovery() as in_recovery,
                   current_setting('transaction_read_only')::boolean as read_only,
                   current_setting('synchronous_commit') as synchronous_commit,
                   (1000 * extract(epoch from current_setting('statement_timeout')::interval))::bigint as statement_timeout_ms,
                   current_user as role,
                   (select string_agg(privilege || ' on ' || table_name, ', ' order by table_name, privilege)
                    from (values
                      ('cluster', 'select'),
                      ('topic_partition', 'select'), ('topic_partition', 'insert'), ('topic_partition', 'update'),
                      ('segment', 'select'), ('segment', 'insert'), ('segment', 'update'), ('segment', 'delete'),
                      ('epoch_highest_offset', 'select'), ('epoch_highest_offset', 'insert'),
                      ('epoch_highest_offset', 'update'),
                      ('state_change', 'select'), ('state_change', 'insert'), ('state_change', 'delete'),
                      ('state_change_group', 'select'), ('state_change_group', 'insert'), ('state_change_group', 'delete'),
                      ('catalogue_id', 'select'), ('catalogue_id', 'insert'),
                      ('broker_progress', 'select'), ('broker_progress', 'insert'), ('broker_progress', 'update')
                    ) as needed (table_name, privilege)
                    cross join lateral format('%I.%I', cast(:schemaName as text), table_name) as qualified
                    where not has_table_privilege(cast(qualified as regclass), privilege)) as missing,
                   (""" + HIDDEN + ") as hidden";

    /** From the history that migrations leave. Needs no more than the right to read it. */
    @SqlQuery(VERSION)
    int version();

    @SqlQuery(HIDDEN)
    @Nullable
    String hidden(String schemaName);
}
