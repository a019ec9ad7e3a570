-- For a database administrator: the three roles of a catalogue and its schemas, created once, in the database that is to hold it.
-- Afterwards give each role a way to log in (\password, certificates, or what your pg_hba.conf asks for), and run
-- `shelfmark init` as shelfmark_owner with
--   jdbc.grant.broker=shelfmark_broker
--   jdbc.grant.auditor=shelfmark_auditor
-- which creates the tables and grants the rest.

-- Owns the schema; for `shelfmark init`, `upgrade-schema`, `import`, `cutover`, `rollback` and `state set`.
create role shelfmark_owner login;

-- For the brokers: reads and writes the catalogue, can't change the schema or the state of a cluster.
create role shelfmark_broker login;

-- For people and audits: reads.
create role shelfmark_auditor login;

create schema shelfmark authorization shelfmark_owner;

-- Views for audits, in a schema of their own.
create schema shelfmark_audit authorization shelfmark_owner;
