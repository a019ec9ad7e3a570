-- Producers give records what timestamps they like, and one that takes nanoseconds for milliseconds gives them one that PostgreSQL has no time for. A
-- single segment with such a record ended every query of these views, and with "select *" every query of all topics.

create function time_of(ms bigint) returns timestamptz
  language sql immutable strict parallel safe
  as $$ select case
          when ms > 9224318015999999 then timestamptz 'infinity'
          when ms < -210866803200000 then timestamptz '-infinity'
          else to_timestamp(ms / 1000.0)
        end $$;
comment on function time_of(bigint) is 'Milliseconds since 1970 as a time; infinite where PostgreSQL has none that is as late or as early.';

create or replace view segment_overview as
select p.cluster_id,
       p.topic_name,
       textual_id(p.topic_id) as topic_id,
       p.partition,
       textual_id(s.segment_id) as segment_id,
       s.start_offset,
       s.end_offset,
       case s.state
         when 0 then 'COPY_SEGMENT_STARTED'
         when 1 then 'COPY_SEGMENT_FINISHED'
         when 2 then 'DELETE_SEGMENT_STARTED'
         when 3 then 'DELETE_SEGMENT_FINISHED'
       end as state,
       s.size_in_bytes,
       time_of(s.max_timestamp_ms) as max_timestamp,
       s.leader_epochs,
       s.epoch_start_offsets,
       s.txn_index_empty,
       octet_length(s.custom_metadata) as custom_metadata_bytes,
       s.broker_id,
       time_of(s.event_timestamp_ms) as event_timestamp,
       s.version,
       s.finished_version,
       s.deleted_at
from segment s
join topic_partition p on p.id = s.partition_id;

do $$
declare
  audit_schema text := current_schema() || '_audit';
begin
  execute format($view$
    create or replace view %I.segments as
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
    join topic_partition p on p.id = s.partition_id
    $view$, audit_schema);
  execute format($view$
    create or replace view %I.partitions as
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
           case p.deletion
             when 0 then 'DELETE_PARTITION_MARKED'
             when 1 then 'DELETE_PARTITION_STARTED'
             when 2 then 'DELETE_PARTITION_FINISHED'
           end as deletion
    from topic_partition p
    left join segment s on s.partition_id = p.id and s.deleted_at is null
    group by p.id
    $view$, audit_schema);
end
$$;
