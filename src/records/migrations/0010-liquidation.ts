// What people ask support to liquidate, and what became of it.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table liquidation_requests (
  id uuid primary key,
  deployment_id uuid not null references deployments,
  status text not null default 'open' check (status in ('open', 'approved', 'declined')),
  -- Trading clock.
  requested_at timestamptz not null,
  decided_at timestamptz,
  decided_by uuid references users,
  reason text check ((status = 'declined') = (reason is not null)),
  created_at timestamptz not null default now(),
  check ((status = 'open') = (decided_at is null))
);
create unique index liquidation_requested_once on liquidation_requests (deployment_id) where status = 'open';
create index liquidation_requests_open on liquidation_requests (created_at) where status = 'open';
`)
    .execute(database);
}
