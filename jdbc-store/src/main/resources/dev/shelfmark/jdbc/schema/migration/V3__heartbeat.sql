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

comment on table cluster is 'Whether the catalogue may speak for a Kafka cluster: importing, draining_to_ready, ready, draining_to_bridged, bridged or restoring. No row: unknown, not empty.';
