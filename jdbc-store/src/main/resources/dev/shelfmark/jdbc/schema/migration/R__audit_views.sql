-- For SQL users: views in a schema of their own, <this schema>_audit, which holds nothing else and may be granted by itself, and the functions
-- that they are made of, in this schema. They are plain views on the tables: each query sees one moment, and one that names cluster and topic
-- reads only what it asks for.
--
-- Flyway runs this file again whenever it has changed. Views are replaced, so that what was granted on them stays; PostgreSQL then only takes
-- new columns at the end.

create or replace function textual_id(id uuid) returns text
  language sql immutable strict parallel safe
  as $$ select translate(left(encode(uuid_send(id), 'base64'), 22), '+/', '-_') $$;
comment on function textual_id(uuid) is 'An id as Kafka''s tools print it.';

create or replace function segment_state(code smallint) returns text
  language sql immutable strict parallel safe
  as $$ select case code
          when 0 then 'COPY_SEGMENT_STARTED'
          when 1 then 'COPY_SEGMENT_FINISHED'
          when 2 then 'DELETE_SEGMENT_STARTED'
          when 3 then 'DELETE_SEGMENT_FINISHED'
        end $$;
comment on function segment_state(smallint) is 'A segment''s state in Kafka''s words; null for one that no build knows.';

create or replace function deletion_state(code smallint) returns text
  language sql immutable strict parallel safe
  as $$ select case code
          when 0 then 'DELETE_PARTITION_MARKED'
          when 1 then 'DELETE_PARTITION_STARTED'
          when 2 then 'DELETE_PARTITION_FINISHED'
        end $$;
comment on function deletion_state(smallint) is 'How far a partition''s deletion has come, in Kafka''s words; null for one that no build knows.';

create or replace function time_of(ms bigint) returns timestamptz
  language sql immutable strict parallel safe
  as $$ select case
          when ms > 9224318015999999 then timestamptz 'infinity'
          when ms < -210866803200000 then timestamptz '-infinity'
          else to_timestamp(ms / 1000.0)
        end $$;
comment on function time_of(bigint) is 'Milliseconds since 1970 as a time; infinite where PostgreSQL has none that is as late or as early.';

create or replace function epoch_ranges(leader_epochs integer[], epoch_start_offsets bigint[], segment_end_offset bigint)
  returns table (leader_epoch integer, start_offset bigint, end_offset bigint)
  language sql immutable strict parallel safe
  as $$ select e.leader_epoch, e.start_offset, coalesce(epoch_start_offsets[(e.n + 1)::int] - 1, segment_end_offset)
        from unnest(leader_epochs, epoch_start_offsets) with ordinality as e (leader_epoch, start_offset, n) $$;
-- As LeaderEpochs.endOffset has it.
comment on function epoch_ranges(integer[], bigint[], bigint) is 'The offsets of each leader epoch of a segment, both ends included; an empty epoch ends before it starts.';

do $$
declare
  audit_schema text := current_schema() || '_audit';
begin
  if not exists (select from pg_catalog.pg_namespace where nspname = audit_schema) then
    begin
      execute format('create schema %I', audit_schema);
    exception when insufficient_privilege then
      raise exception using
        errcode = 'insufficient_privilege',
        message = format('the role %I may not create the schema of the audit''s views; an administrator must run once:'
                         ' create schema %I authorization %I', current_user, audit_schema, current_user);
    end;
  end if;
end
$$;

-- What is created from here on, to the end of this transaction, is created in the audit's schema.
select set_config('search_path', format('%I, %I', current_schema() || '_audit', current_schema()), true);

create or replace view segments as
select p.cluster_id,
       p.topic_name as topic,
       textual_id(p.topic_id) as topic_id,
       p.partition,
       textual_id(s.segment_id) as segment_id,
       s.start_offset,
       s.end_offset,
       segment_state(s.state) as state,
       s.size_in_bytes,
       case when s.max_timestamp_ms >= 0 then time_of(s.max_timestamp_ms) end as max_timestamp,
       s.leader_epochs,
       s.epoch_start_offsets,
       s.txn_index_empty,
       octet_length(s.custom_metadata) as custom_metadata_bytes,
       s.broker_id,
       time_of(s.event_timestamp_ms) as changed_at,
       s.version,
       s.finished_version,
       s.deleted_at
from segment s
join topic_partition p on p.id = s.partition_id;
comment on view segments is 'Every segment, deleted ones included until they are purged. changed_at is the broker''s clock, deleted_at the database''s.';

create or replace view partitions as
select p.cluster_id,
       p.topic_name as topic,
       textual_id(p.topic_id) as topic_id,
       p.partition,
       p.version,
       count(s.segment_id) as segments,
       coalesce(sum(s.size_in_bytes::bigint), 0)::bigint as bytes,
       min(s.start_offset) as start_offset,
       max(s.end_offset) as end_offset,
       count(*) filter (where s.state = 0) as copy_started,
       count(*) filter (where s.state = 1) as copy_finished,
       count(*) filter (where s.state = 2) as delete_started,
       time_of(min(s.max_timestamp_ms) filter (where s.max_timestamp_ms >= 0)) as oldest,
       time_of(max(s.max_timestamp_ms) filter (where s.max_timestamp_ms >= 0)) as newest,
       time_of(max(s.event_timestamp_ms)) as changed_at,
       deletion_state(p.deletion) as deletion
from topic_partition p
left join segment s on s.partition_id = p.id and s.deleted_at is null
group by p.id;
comment on view partitions is 'Each partition with what is live in it.';

create or replace view topics as
select cluster_id,
       topic,
       topic_id,
       count(*) as partitions,
       sum(segments)::bigint as segments,
       sum(bytes)::bigint as bytes,
       sum(copy_started)::bigint as copy_started,
       sum(copy_finished)::bigint as copy_finished,
       sum(delete_started)::bigint as delete_started,
       min(oldest) as oldest,
       max(newest) as newest,
       max(changed_at) as changed_at
from partitions
group by cluster_id, topic, topic_id;
comment on view topics is 'Each topic with what is live in it.';

create or replace view epoch_coverage as
select p.cluster_id,
       p.topic_name as topic,
       textual_id(p.topic_id) as topic_id,
       p.partition,
       e.leader_epoch,
       e.start_offset,
       e.end_offset,
       textual_id(s.segment_id) as segment_id,
       segment_state(s.state) as state,
       s.finished_version,
       h.highest_offset
from segment s
join topic_partition p on p.id = s.partition_id
cross join lateral epoch_ranges(s.leader_epochs, s.epoch_start_offsets, s.end_offset) e
left join epoch_highest_offset h on h.partition_id = p.id and h.leader_epoch = e.leader_epoch
where s.deleted_at is null;
comment on view epoch_coverage is 'What each live segment holds of each leader epoch, and the highest offset of the epoch that was ever uploaded.';

-- As `shelfmark check` finds them, with its defaults, and by the same names; docs/audit.md explains each. In flight is what changed within
-- six hours.
create or replace view anomalies as
with finished as (
  select s.partition_id, e.leader_epoch, e.start_offset, e.end_offset
  from segment s
  cross join lateral epoch_ranges(s.leader_epochs, s.epoch_start_offsets, s.end_offset) e
  where s.deleted_at is null and s.state = 1 and e.end_offset >= e.start_offset
), reached as (
  select f.*,
         coalesce(
           max(f.end_offset) over (partition by f.partition_id, f.leader_epoch order by f.start_offset
                                   rows between unbounded preceding and 1 preceding),
           max(f.end_offset) over (partition by f.partition_id order by f.leader_epoch
                                   range between unbounded preceding and 1 preceding)) as reached
  from finished f
), pair as (
  select a.partition_id,
         case when a.finished_version <= b.finished_version then a.segment_id else b.segment_id end as earlier,
         case when a.finished_version <= b.finished_version then b.segment_id else a.segment_id end as later,
         greatest(a.start_offset, b.start_offset) as start_offset,
         least(a.end_offset, b.end_offset) as end_offset
  from segment a
  join segment b on b.partition_id = a.partition_id and b.deleted_at is null and b.state = 1
                and b.start_offset between a.start_offset and a.end_offset
                and (b.start_offset, b.segment_id) > (a.start_offset, a.segment_id)
  where a.deleted_at is null and a.state = 1
    and exists (
      select
      from epoch_ranges(a.leader_epochs, a.epoch_start_offsets, a.end_offset) x
      join epoch_ranges(b.leader_epochs, b.epoch_start_offsets, b.end_offset) y
        on y.leader_epoch = x.leader_epoch and x.start_offset <= y.end_offset and y.start_offset <= x.end_offset
      where x.start_offset <= x.end_offset and y.start_offset <= y.end_offset)
), judged as (
  select pair.*, e.max_timestamp_ms, e.event_timestamp_ms as earlier_changed, l.event_timestamp_ms as later_changed,
         not exists (
           select
           from epoch_ranges(e.leader_epochs, e.epoch_start_offsets, e.end_offset) x
           where x.start_offset <= x.end_offset
             and not exists (
               select
               from epoch_ranges(l.leader_epochs, l.epoch_start_offsets, l.end_offset) y
               where y.leader_epoch = x.leader_epoch
                 and y.start_offset <= x.start_offset and x.end_offset <= y.end_offset)) as superseded
  from pair
  join segment e on e.partition_id = pair.partition_id and e.segment_id = pair.earlier
  join segment l on l.partition_id = pair.partition_id and l.segment_id = pair.later
), in_flight as (
  select (extract(epoch from now() - interval '6 hours') * 1000)::bigint as since_ms
), found as (
  select 'GAP' as kind, r.partition_id, null::uuid as segment_id, r.reached + 1 as start_offset, r.start_offset - 1 as end_offset,
         r.leader_epoch, null::bigint as since_ms, 'no readable segment holds these offsets' as detail
  from reached r, in_flight
  where r.start_offset > r.reached + 1
    and not exists (
      select
      from segment t
      where t.partition_id = r.partition_id and t.state <> 1 and t.event_timestamp_ms >= in_flight.since_ms
        and t.start_offset <= r.start_offset - 1 and r.reached + 1 <= t.end_offset)
  union all
  select 'OVERLAP', j.partition_id, j.later, j.start_offset, j.end_offset, null, j.later_changed,
         'overlaps segment ' || textual_id(j.earlier) || ', which was finished before it'
  from judged j
  where not j.superseded
  union all
  select distinct on (j.partition_id, j.earlier)
         'SUPERSEDED', j.partition_id, j.earlier, j.start_offset, j.end_offset, null::integer, j.earlier_changed,
         'all its offsets are held by segment ' || textual_id(j.later)
  from judged j, in_flight
  where j.superseded and j.earlier_changed < in_flight.since_ms
    and j.max_timestamp_ms < in_flight.since_ms - 7 * 24 * 3600 * 1000::bigint
  union all
  select case s.state when 0 then 'DANGLING_COPY' else 'DANGLING_DELETE' end, s.partition_id, s.segment_id, s.start_offset,
         s.end_offset, null, s.event_timestamp_ms, segment_state(s.state) || ' by broker ' || s.broker_id
  from segment s, in_flight
  where s.deleted_at is null and s.state in (0, 2) and s.event_timestamp_ms < in_flight.since_ms
  union all
  select 'LOG_START_NOT_READABLE', lowest.partition_id, lowest.segment_id, lowest.start_offset, lowest.end_offset, null,
         lowest.event_timestamp_ms, 'it is ' || segment_state(lowest.state)
  from topic_partition p
  cross join in_flight
  cross join lateral (
    select * from segment s where s.partition_id = p.id and s.deleted_at is null
    order by s.start_offset, s.segment_id limit 1) lowest
  where lowest.state in (0, 2) and lowest.event_timestamp_ms < in_flight.since_ms
    and exists (select from segment s where s.partition_id = p.id and s.deleted_at is null and s.state = 1)
    and not exists (
      select from segment s
      where s.partition_id = p.id and s.deleted_at is null and s.state = 1 and s.start_offset <= lowest.start_offset)
  union all
  select 'EPOCHS_OUTSIDE_SEGMENT', s.partition_id, s.segment_id, s.start_offset, s.end_offset, null, s.event_timestamp_ms,
         'the leader epochs do not cover the segment'
  from segment s
  where s.deleted_at is null
    and (s.epoch_start_offsets[1] <> s.start_offset
         or s.epoch_start_offsets[array_length(s.epoch_start_offsets, 1)] > s.end_offset + 1
         or exists (
           select from unnest(s.epoch_start_offsets) with ordinality as e (start_offset, n)
           where e.start_offset > s.epoch_start_offsets[(e.n + 1)::int]))
  union all
  select 'HIGHEST_OFFSET_TOO_LOW', f.partition_id, null, h.highest_offset, max(f.end_offset), f.leader_epoch, null,
         coalesce(h.highest_offset || ' is kept', 'none is kept') || ', but a segment holds ' || max(f.end_offset)
  from finished f
  left join epoch_highest_offset h on h.partition_id = f.partition_id and h.leader_epoch = f.leader_epoch
  group by f.partition_id, f.leader_epoch, h.highest_offset
  having coalesce(h.highest_offset, -1) < max(f.end_offset)
  union all
  select 'HEAD_MISMATCH', p.id, null, null, null, null, null,
         'the head counts ' || p.live_segments || ' live segments, there are ' || count(s.segment_id)
         || '; its span is ' || p.max_offset_span || ', the widest segment''s ' || coalesce(max(s.end_offset - s.start_offset), 0)
  from topic_partition p
  left join segment s on s.partition_id = p.id and s.deleted_at is null
  group by p.id
  having p.live_segments <> count(s.segment_id) or p.max_offset_span < max(s.end_offset - s.start_offset)
      or p.version < max(s.version)
  union all
  select 'UNREADABLE_ROW', s.partition_id, s.segment_id, s.start_offset, s.end_offset, null, s.event_timestamp_ms,
         'state ' || s.state || ', offsets ' || s.start_offset || ' to ' || s.end_offset
  from segment s
  where s.state not between 0 and 3 or s.start_offset < 0 or s.end_offset < s.start_offset
     or cardinality(s.leader_epochs) = 0 or cardinality(s.leader_epochs) <> cardinality(s.epoch_start_offsets)
  union all
  select 'PURGE_BACKLOG', s.partition_id, null, null, null, null, min(s.event_timestamp_ms),
         count(*) || ' records of deleted segments are still there'
  from segment s
  where s.deleted_at < now() - interval '10 days'
  group by s.partition_id
  union all
  select 'SMALL_SEGMENTS', s.partition_id, null, null, null, null, null,
         count(*) || ' segments of ' || sum(s.size_in_bytes::bigint) / count(*) || ' bytes on average'
  from segment s
  where s.deleted_at is null
  group by s.partition_id
  having count(*) >= 1000 and sum(s.size_in_bytes::bigint) / count(*) < 1048576
)
select f.kind,
       p.cluster_id,
       p.topic_name as topic,
       textual_id(p.topic_id) as topic_id,
       p.partition,
       textual_id(f.segment_id) as segment_id,
       f.start_offset,
       f.end_offset,
       f.leader_epoch,
       time_of(f.since_ms) as since,
       f.detail
from found f
join topic_partition p on p.id = f.partition_id;
comment on view anomalies is 'What contradicts itself, as `shelfmark check` names it. Reads every live segment: for a look now and then, not for a dashboard.';

-- The partition is looked up within each of the two: what a query asks of it gets no further than to where rows are put together, and all groups
-- would be read for one partition's.
create or replace view history as
select c.cluster_id,
       c.topic_name as topic,
       textual_id(c.topic_id) as topic_id,
       c.partition,
       c.version,
       c.recorded_at,
       time_of(c.event_timestamp_ms) as changed_at,
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
left join segment s on s.partition_id = c.partition_id and s.segment_id = c.segment_id;
comment on view history is 'Each change that is kept: order by version. recorded_at is the database''s clock, changed_at the broker''s. Offsets are there while the segment''s row is.';
