// Links to the trade log of a strategy that is not public: each works once, within its minute.
import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
create table trade_log_links (
  -- SHA-256 of the token in the link; the token itself is kept nowhere.
  token_hash bytea primary key,
  strategy_id uuid not null references strategies on delete cascade,
  user_id uuid not null references users on delete cascade,
  backtest_id uuid not null references backtests on delete cascade,
  expires_at timestamptz not null
);
create index trade_log_links_of_user on trade_log_links (user_id);
`)
    .execute(database);
}
