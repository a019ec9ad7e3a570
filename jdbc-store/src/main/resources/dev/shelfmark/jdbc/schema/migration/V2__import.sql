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
