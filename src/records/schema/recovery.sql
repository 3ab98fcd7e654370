-- When the database went on from another point than the one where it was left: it was restored from a backup, or a standby that
-- may not have had everything took over.
create table restorations (
  id integer generated always as identity primary key,
  found_at timestamptz not null default clock_timestamp(),
  -- timeline: PostgreSQL continues on another timeline. cluster: the rows are in another cluster. stated: an operator says so.
  cause text not null check (cause in ('timeline', 'cluster', 'stated')),
  -- The newest row of the audit log then: what was done later is not in these records.
  restored_to timestamptz,
  -- The newest close that had been evaluated: by the trading clock.
  evaluated_to timestamptz
);

-- Connections with live deployments whose broker has not been compared with the restored records yet: nothing is sent there.
create table unsettled_connections (
  connection_id uuid primary key references broker_connections on delete cascade,
  restoration_id integer not null references restorations
);
