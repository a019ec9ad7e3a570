-- Who changed what, and when: a row for each change of a segment or of a partition's deletion, kept for a while.
--
-- Rows are inserted by the statement that makes the change, never updated, and deleted when their time is over. There is no foreign key to
-- topic_partition: that statement has just written the partition's row, and the check of it would be half of what a row costs.
-- expires_at is settled when a row is written, so that a purge needs no cluster in the row or in its index: whoever finds a row past it
-- may remove it. recorded_at and expires_at are the database's clock. Both indexes grow at their right end, or nearly so, which
-- is as cheap as an index gets.

create table state_change (
  partition_id       bigint not null,
  version            bigint not null,
  recorded_at        timestamptz not null,
  expires_at         timestamptz not null,
  event_timestamp_ms bigint not null,
  segment_id         uuid,
  broker_id          integer not null,
  from_state         smallint,
  to_state           smallint not null,
  primary key (partition_id, version)
) with (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);
comment on table state_change is 'The history of state changes. Holds what brokers committed while history.retention.ms was not 0; nothing that was imported.';
comment on column state_change.version is 'The partition''s version that the change made. Versions order the changes.';
comment on column state_change.segment_id is 'The segment, or null for a change of the deletion of the whole partition.';
comment on column state_change.from_state is 'Of a segment: as segment.state, null for one that was not there. Of a partition: as topic_partition.deletion, null for none.';
comment on column state_change.expires_at is 'From when on nobody is shown the row, and any broker may remove it.';

-- What may be purged.
create index state_change_expiry on state_change (expires_at);

create function deletion_state(code smallint) returns text
  language sql immutable strict parallel safe
  as $$ select case code
          when 0 then 'DELETE_PARTITION_MARKED'
          when 1 then 'DELETE_PARTITION_STARTED'
          when 2 then 'DELETE_PARTITION_FINISHED'
        end $$;
comment on function deletion_state(smallint) is 'How far a partition''s deletion has come, in Kafka''s words; null for one that no build knows.';

create view audit_history as
select p.cluster_id,
       p.topic_name as topic,
       textual_id(p.topic_id) as topic_id,
       p.partition,
       c.version,
       c.recorded_at,
       to_timestamp(c.event_timestamp_ms / 1000.0) as changed_at,
       c.broker_id,
       textual_id(c.segment_id) as segment_id,
       s.start_offset,
       s.end_offset,
       case when c.segment_id is null then deletion_state(c.from_state) else segment_state(c.from_state) end as from_state,
       case when c.segment_id is null then deletion_state(c.to_state) else segment_state(c.to_state) end as to_state
from state_change c
join topic_partition p on p.id = c.partition_id
left join segment s on s.partition_id = c.partition_id and s.segment_id = c.segment_id
where c.expires_at > now();
comment on view audit_history is 'Each change that is kept: order by version. recorded_at is the database''s clock, changed_at the broker''s. Offsets are there while the segment''s row is.';

do $$
declare
  audit_schema text := current_schema() || '_audit';
begin
  execute format('alter view audit_history set schema %I', audit_schema);
  execute format('alter view %I.audit_history rename to history', audit_schema);
end
$$;
