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
