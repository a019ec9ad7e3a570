-- The changes of a commit that made several, in one row: each then takes a third of the disk, and the server a sixth less time for the commit.
-- A commit of one change still leaves a row of state_change, which is what that costs least.
--
-- No two commits of a partition interleave, so the order by version of the last change of each is that of all their changes.

create table state_change_group (
  partition_id        bigint not null,
  version             bigint not null,
  recorded_at         timestamptz not null,
  expires_at          timestamptz not null,
  versions            bigint[] not null,
  event_timestamps_ms bigint[] not null,
  segment_ids         uuid[] not null,
  broker_ids          integer[] not null,
  from_states         smallint[] not null,
  to_states           smallint[] not null,
  primary key (partition_id, version)
) with (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);
comment on table state_change_group is 'Of the history, commits of several changes. Each array has one element a change, as the columns of state_change.';
comment on column state_change_group.version is 'The version that the last of the changes made.';

-- Compressing them would take longer than all else that the row costs, and ids hardly shrink.
alter table state_change_group
  alter column versions set storage external,
  alter column event_timestamps_ms set storage external,
  alter column segment_ids set storage external,
  alter column broker_ids set storage external,
  alter column from_states set storage external,
  alter column to_states set storage external;

-- What may be purged.
create index state_change_group_expiry on state_change_group (expires_at);

-- The partition is looked up within each of the two: what a query asks of it gets no further than to where rows are put together, and all groups
-- would be read for one partition's.
do $$
begin
  execute format($view$
    create or replace view %I.history as
    select c.cluster_id,
           c.topic_name as topic,
           textual_id(c.topic_id) as topic_id,
           c.partition,
           c.version,
           c.recorded_at,
           to_timestamp(c.event_timestamp_ms / 1000.0) as changed_at,
           c.broker_id,
           textual_id(c.segment_id) as segment_id,
           s.start_offset,
           s.end_offset,
           case when c.segment_id is null then deletion_state(c.from_state) else segment_state(c.from_state) end as from_state,
           case when c.segment_id is null then deletion_state(c.to_state) else segment_state(c.to_state) end as to_state
    from (
      select p.cluster_id, p.topic_name, p.topic_id, p.partition, o.partition_id, o.version, o.recorded_at, o.event_timestamp_ms,
             o.segment_id, o.broker_id, o.from_state, o.to_state
      from topic_partition p
      join state_change o on o.partition_id = p.id
      where o.expires_at > now()
      union all
      select p.cluster_id, p.topic_name, p.topic_id, p.partition, g.partition_id, e.version, g.recorded_at, e.event_timestamp_ms,
             e.segment_id, e.broker_id, e.from_state, e.to_state
      from topic_partition p
      join state_change_group g on g.partition_id = p.id
      cross join unnest(g.versions, g.event_timestamps_ms, g.segment_ids, g.broker_ids, g.from_states, g.to_states)
        as e (version, event_timestamp_ms, segment_id, broker_id, from_state, to_state)
      where g.expires_at > now()
    ) c
    left join segment s on s.partition_id = c.partition_id and s.segment_id = c.segment_id
    $view$, current_schema() || '_audit');
end
$$;
