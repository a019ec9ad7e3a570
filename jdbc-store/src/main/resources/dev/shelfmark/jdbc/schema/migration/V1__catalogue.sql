-- The catalogue of remote log segments, for any number of Kafka clusters.
--
-- Keys. A partition is known by cluster, topic id and number; names are information. Segments refer to it by a bigint, which
-- keeps the millions of segment rows and their indexes narrow. Cluster ids and topic names are collated "C": their order
-- is then bytewise, cheap to compare, and no upgrade of the operating system's locales can damage an index on them.
--
-- No foreign key leads from topic_partition to cluster: the catalogue reads the cluster's record before it speaks for it,
-- and a row lock on one cluster row from every new partition would make that row a meeting point of all writers.
--
-- Codes. segment.state and topic_partition.deletion hold Kafka's own ids of the states; the views below spell them out.
-- "Live" is deleted_at is null, so that neither queries nor index predicates repeat a code. deleted_at is the database's clock,
-- because it decides when a row may be purged and brokers' clocks differ.
--
-- Storage.
-- * topic_partition and epoch_highest_offset are updated with every change of a partition, and no updated column is indexed: with
--   room left in the page (fillfactor) such updates stay in it (HOT) and touch no index. They are small and hot, so they
--   are vacuumed after a fixed number of changes rather than after a fifth of the table.
-- * segment is updated three times in a row's life, and each time its indexed version changes, so that no update can be HOT and
--   room left in the page would be wasted: it is packed full. A fifth of a table with tens of millions of rows is too much to leave
--   dead, so it is vacuumed and analysed after a fiftieth.

create table cluster (
  cluster_id text collate "C" primary key,
  state      text not null,
  revision   bigint not null check (revision > 0),
  changed_at timestamptz not null,
  changed_by text not null,
  note       text not null
);
comment on table cluster is 'Whether the catalogue may speak for a Kafka cluster: importing, ready or restoring. No row: unknown, not empty.';

create table topic_partition (
  id              bigint generated always as identity primary key,
  cluster_id      text collate "C" not null,
  topic_id        uuid not null,
  partition       integer not null,
  topic_name      text collate "C" not null,
  version         bigint not null check (version > 0),
  live_segments   bigint not null,
  max_offset_span bigint not null,
  deletion        smallint,
  unique (cluster_id, topic_id, partition)
) with (
  fillfactor = 60,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 5000
);
comment on column topic_partition.version is 'Raised by each change. The row is locked by the change that raises it, which puts writers in a line.';
comment on column topic_partition.live_segments is 'How many segments have deleted_at null.';
comment on column topic_partition.max_offset_span is 'The largest end_offset - start_offset ever: a segment that holds an offset starts at most so far below it.';
comment on column topic_partition.deletion is 'Deletion of the whole partition: null none, 0 marked, 1 started, 2 finished.';

create table segment (
  partition_id        bigint not null references topic_partition,
  segment_id          uuid not null,
  start_offset        bigint not null,
  end_offset          bigint not null,
  max_timestamp_ms    bigint not null,
  event_timestamp_ms  bigint not null,
  version             bigint not null,
  finished_version    bigint not null,
  size_in_bytes       integer not null,
  broker_id           integer not null,
  state               smallint not null,
  txn_index_empty     boolean not null,
  leader_epochs       integer[] not null,
  epoch_start_offsets bigint[] not null,
  custom_metadata     bytea,
  deleted_at          timestamptz,
  deleted_from        text collate "C",
  primary key (partition_id, segment_id),
  check ((deleted_at is null) = (deleted_from is null))
) with (
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.02
);
comment on column segment.state is '0 copy started, 1 copy finished, 2 delete started, 3 delete finished.';
comment on column segment.version is 'The partition''s version that the last change of this row made.';
comment on column segment.finished_version is 'The partition''s version at which it first became copy finished, or 0.';
comment on column segment.deleted_at is 'When it became delete finished, by the database''s clock; null while it is live.';
comment on column segment.deleted_from is 'The cluster id again, in deleted rows only: the purge of one cluster then never walks over the rows of another.';

-- Which segments hold an offset: those starting between offset - max_offset_span and offset.
create index segment_live_start on segment (partition_id, start_offset) where deleted_at is null;
-- What changed since a version.
create index segment_version on segment (partition_id, version);
-- The next segments that may hold a transaction index; few segments do, so the index is small.
create index segment_live_txn on segment (partition_id, start_offset, segment_id) where deleted_at is null and not txn_index_empty;
-- What may be purged.
create index segment_deleted on segment (deleted_from, deleted_at) where deleted_at is not null;

create table epoch_highest_offset (
  partition_id   bigint not null references topic_partition,
  leader_epoch   integer not null,
  highest_offset bigint not null,
  version        bigint not null,
  primary key (partition_id, leader_epoch)
) with (
  fillfactor = 60,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 5000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 5000
);
comment on table epoch_highest_offset is 'By leader epoch, the highest offset that ever reached copy finished. Outlives the segments.';
comment on column epoch_highest_offset.version is 'The partition''s version that raised it last.';

-- For people: Kafka's textual ids and the names of the states.

create function textual_id(id uuid) returns text
  language sql immutable strict parallel safe
  as $$ select translate(left(encode(uuid_send(id), 'base64'), 22), '+/', '-_') $$;
comment on function textual_id(uuid) is 'An id as Kafka''s tools print it.';

create view partition_overview as
select p.cluster_id,
       p.topic_name,
       textual_id(p.topic_id) as topic_id,
       p.partition,
       p.version,
       p.live_segments,
       case p.deletion
         when 0 then 'DELETE_PARTITION_MARKED'
         when 1 then 'DELETE_PARTITION_STARTED'
         when 2 then 'DELETE_PARTITION_FINISHED'
       end as deletion
from topic_partition p;

create view segment_overview as
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
       to_timestamp(s.max_timestamp_ms / 1000.0) as max_timestamp,
       s.leader_epochs,
       s.epoch_start_offsets,
       s.txn_index_empty,
       octet_length(s.custom_metadata) as custom_metadata_bytes,
       s.broker_id,
       to_timestamp(s.event_timestamp_ms / 1000.0) as event_timestamp,
       s.version,
       s.finished_version,
       s.deleted_at
from segment s
join topic_partition p on p.id = s.partition_id;
