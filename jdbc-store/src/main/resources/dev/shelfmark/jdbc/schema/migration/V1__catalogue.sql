-- The catalogue of remote log segments, for any number of Kafka clusters.
--
-- Keys. A partition is known by cluster, topic id and number; names are information. Segments refer to it by a bigint, which
-- keeps the millions of segment rows and their indexes narrow. Cluster ids and topic names are collated "C": their order
-- is then bytewise, cheap to compare, and no upgrade of the operating system's locales can damage an index on them.
--
-- No foreign key leads from topic_partition to cluster: the catalogue reads the cluster's record before it speaks for it,
-- and a row lock on one cluster row from every new partition would make that row a meeting point of all writers.
--
-- segment has no foreign key either: the statement that inserts a segment has just written its partition's row and holds that row's lock to
-- the end of the transaction, a load's as well as a commit's. Checking it took as long as all of the rest when millions of segments were
-- copied in. epoch_highest_offset keeps its foreign key: few rows are inserted there, and it keeps a partition that ever had a finished
-- segment from being deleted by hand, and topic_partition from being truncated.
--
-- Codes. segment.state and topic_partition.deletion hold Kafka's own ids of the states; the views (R__audit_views.sql) spell them out.
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
comment on table cluster is 'Whether the catalogue may speak for a Kafka cluster: importing, draining_to_ready, ready, draining_to_bridged, bridged or restoring. No row: unknown, not empty.';

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
  partition_id        bigint not null,
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
-- Deleted segments in the order of a listing, for pages of bounded cost. Only deleted rows have an entry, so it costs one insertion in a
-- segment's life and stays as small as the retention of deleted rows keeps it. The live ones are listed by segment_live_start.
create index segment_deleted_start on segment (partition_id, start_offset, segment_id) where deleted_at is not null;
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

-- Bringing a cluster's history in: who is at it, and how far they came.
--
-- The claim's row is changed, and the cluster's row is locked, in the transaction of every load: a loader that was paused and lost its
-- claim, or that goes on after the cluster was declared ready, changes nothing. Rows of import_progress live from the load of a
-- partition to the next checkpoint of its source, so the table stays small; claims and checkpoints are a few rows a cluster.

create table import_claim (
  cluster_id text collate "C" primary key,
  token      uuid not null,
  holder     text not null,
  until      timestamptz not null
);
comment on table import_claim is 'Who brings a cluster''s history in. Whoever finds it past until, by the database''s clock, may take it.';

create table import_checkpoint (
  cluster_id  text collate "C" not null,
  source      integer not null,
  source_id   text not null,
  next_offset bigint not null,
  note        text not null,
  primary key (cluster_id, source)
);
comment on table import_checkpoint is 'By partition of the metadata topic, the offset that the import goes on from.';

create table import_progress (
  cluster_id  text collate "C" not null,
  source      integer not null,
  topic_id    uuid not null,
  partition   integer not null,
  next_offset bigint not null,
  note        text not null,
  primary key (cluster_id, source, topic_id, partition)
);
comment on table import_progress is 'Partitions that are brought in further than their source''s checkpoint.';

-- What brokers say of themselves, for the switch from Kafka's metadata topic to this catalogue and back.
--
-- The switch itself is the cluster's row. A broker writes here which revision of that row it acts on; nobody moves on before every
-- broker has acknowledged. One small row a broker, written by that broker alone every few seconds: with room left in the page the updates
-- stay in it (HOT), and the table is vacuumed after a fixed number of them.

create table broker_heartbeat (
  cluster_id            text collate "C" not null,
  broker_id             integer not null,
  incarnation           text not null,
  beats                 bigint not null,
  mode                  text not null,
  version               text not null,
  acknowledged          text,
  acknowledged_revision bigint not null,
  lease_ms              bigint not null,
  at                    timestamptz not null,
  waiting_for           text not null,
  primary key (cluster_id, broker_id),
  check ((acknowledged is null) = (acknowledged_revision = 0))
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 1000
);
comment on table broker_heartbeat is 'The last heartbeat of each broker.';
comment on column broker_heartbeat.incarnation is 'Which start of the broker''s process.';
comment on column broker_heartbeat.beats is 'How many heartbeats since that start: a broker that lives raises it.';
comment on column broker_heartbeat.mode is 'catalogue: answers from here only. bridge: from Kafka''s topic or from here, as the cluster''s state says.';
comment on column broker_heartbeat.acknowledged_revision is 'The revision of the cluster''s row that the broker acts on, or 0.';
comment on column broker_heartbeat.lease_ms is 'For how long after it last read the cluster''s row it may go on acting on it.';
comment on column broker_heartbeat.at is 'When it was written, by the broker''s clock.';

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

-- How far brokers have brought a cluster's catalogue, so that they notice when the database went back or is another one.
--
-- A broker raises its counter after it committed something, and keeps in a file what it saw. One small row a broker, written by that
-- broker alone: with room left in the page the updates stay in it (HOT).

create table catalogue_id (
  cluster_id text collate "C" primary key,
  id         text not null,
  replaces   text not null
);
comment on table catalogue_id is 'A random id of each cluster''s catalogue. A backup has the same.';
comment on column catalogue_id.replaces is 'The ids of catalogues in whose place an operator accepted this one, a space between them.';

create table broker_progress (
  cluster_id   text collate "C" not null,
  broker_id    integer not null,
  counter      bigint not null,
  regressed_id text not null,
  seen_ids     text not null,
  reason       text not null,
  primary key (cluster_id, broker_id)
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000,
  autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 1000
);
comment on column broker_progress.counter is 'Raised by the broker after it committed something. Never falls, unless the database went back.';
comment on column broker_progress.regressed_id is 'The catalogue''s id when the broker found that it went back; empty for never.';
comment on column broker_progress.seen_ids is 'The ids of the catalogues that the broker had worked with by then, a space between them.';
comment on column broker_progress.reason is 'What the broker found, for people.';
