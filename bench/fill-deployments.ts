// People with deployments as the benches of the API read them.
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { ownerPool } from '../tests/support/test-database.ts';
import type { UserId } from '#units/identifiers.ts';
import type { BenchDatabase } from './bench-database.ts';

const POSITIONS_EACH = 6;
const ORDERS_EACH = 40;

type Filled = { userId: UserId; sessionId: string; deployments: string[] };

/** Signed in, with deployments that hold shares and have traded. */
export async function fillDeployments(
  { writer, ownerUrl }: Pick<BenchDatabase, 'writer' | 'ownerUrl'>,
  { people, deploymentsEach }: { readonly people: number; readonly deploymentsEach: number },
): Promise<Filled[]> {
  const { pool } = writer;
  const [strategy, version, broker] = [randomUUID(), randomUUID(), randomUUID()];
  const symbols = Array.from({ length: POSITIONS_EACH }, (_, i) => `S${i}`);
  await pool.query(
    `insert into instruments (symbol, kind, name, currency, quantity_step, price_decimals, calendar, settlement, source)
     select s, 'equity', s, 'USD', 1, 2, 'us-equity', 'cash', 'sandbox' from unnest($1::text[]) s`,
    [symbols],
  );
  await pool.query(
    `insert into strategies (id, slug, name, short_description, description, kind, strategy_type, market, risk_level,
       risk_score, min_investment_micro) values ($1, 's', 'Strategy', '', '', 'equity', 'momentum', 'us', 'low', 1, 1)`,
    [strategy],
  );
  await pool.query(
    `insert into strategy_versions (id, strategy_id, number, definition, definition_hash, committed_at)
     values ($1, $2, 1, '{}', 'h', now())`,
    [version, strategy],
  );
  await pool.query(
    `insert into brokers (id, slug, name, logo, description, broker_type, supported_assets, status, position)
     values ($1, 'b', 'B', '', '', '', '{}', 'available', 1)`,
    [broker],
  );
  const filled: Filled[] = [];
  for (let i = 0; i < people; i++)
    filled.push(await fillUser(pool, { strategy, version, broker, deploymentsEach }));
  await fillTrading(pool, symbols);
  const owner = ownerPool(ownerUrl);
  await owner.query('vacuum analyze');
  await owner.end();
  return filled;
}

async function fillUser(
  pool: Pool,
  of: { strategy: string; version: string; broker: string; deploymentsEach: number },
): Promise<Filled> {
  const [userId, sessionId, connection] = [randomUUID(), randomUUID(), randomUUID()];
  await pool.query(
    `insert into users (id, email, password_hash, first_name) values ($1, $1::uuid::text, 'x', 'A')`,
    [userId],
  );
  await pool.query(
    `insert into sessions (id, user_id, remember, expires_at) values ($1, $2, false, now() + interval '1 day')`,
    [sessionId, userId],
  );
  await pool.query(
    `insert into broker_connections (id, user_id, broker_id, status, expires_at) values ($1, $2, $3, 'active', now())`,
    [connection, userId, of.broker],
  );
  const { rows } = await pool.query<{ id: string }>(
    `insert into deployments (id, user_id, strategy_id, strategy_version_id, broker_connection_id, status,
       investment_micro, return_base_micro, stop_loss_percentage, max_allocation_percent, freeze_on_drawdown_percent, cash_micro,
       equity_micro, peak_equity_micro, high_water_mark_micro, deployed_at, marked_at)
     select gen_random_uuid(), $1, $2, $3, $4, 'active', 1e10, 1e10, 10, 20, 25, 4e9, 1e10, 1e10, 1e10, now(), now()
     from generate_series(1, $5::int) returning id`,
    [userId, of.strategy, of.version, connection, of.deploymentsEach],
  );
  return { userId: userId as UserId, sessionId, deployments: rows.map(({ id }) => id) };
}

async function fillTrading(pool: Pool, symbols: readonly string[]): Promise<void> {
  await pool.query(
    `insert into positions (deployment_id, symbol, quantity, cost_micro, mark_price, current_value_micro,
       total_cost_micro, unrealized_micro, notional_micro, opened_at, marked_at)
     select d.id, s, 10, 1e9, 101.25, 1012500000, 1e9, 12500000, 1012500000, now(), now()
     from deployments d cross join unnest($1::text[]) s`,
    [symbols],
  );
  await pool.query(
    `insert into orders (id, deployment_id, broker_connection_id, client_order_id, cause, purpose, attempt, symbol, side,
       quantity, limit_price, reference_price, status, filled_quantity, realized_micro, decided_at)
     select gen_random_uuid(), d.id, d.broker_connection_id, gen_random_uuid()::text, n::text, 'rebalance', 1, 'S0',
       'buy', 10, 100, 100, 'filled', 10, n - 20, now()
     from deployments d cross join generate_series(1, $1::int) n`,
    [ORDERS_EACH],
  );
}

const MARKED = { all: 'true', eighth: `id < '20000000-0000-0000-0000-000000000000'` } as const;

/** Meanwhile these deployments are revalued each second. */
export async function whileMarking<Result>(
  { pool, part }: { readonly pool: Pool; readonly part: keyof typeof MARKED },
  work: () => Promise<Result>,
): Promise<Result> {
  let marking: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    marking = pool.query(
      `update deployments set marked_at = now(), revision = revision + 1 where ${MARKED[part]}`,
    );
  }, 1_000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await marking;
  }
}
