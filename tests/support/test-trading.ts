// What the trader would have written, as rows: a deployment that trades, with a position, orders, fills and marks.
import { randomUUID } from 'node:crypto';
import { listInstruments } from '#records/market/instruments.ts';
import { bookRoundTrips } from '#records/portfolio/round-trips.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import type { TestApp } from './test-app.ts';

/** Buys 10 SPY at 400, sells 4 at 450 (commission 1 each), and marks the remaining 6 at 420. Investment 10,000. */
export async function tradeOnce(app: TestApp, deploymentId: string): Promise<void> {
  const { pool } = app.records;
  await pool.query(
    `insert into instruments (symbol, kind, name, currency, quantity_step, price_decimals, calendar, settlement, source)
     values ('SPY', 'equity', 'S&P 500', 'USD', 1, 2, 'us-equity', 'cash', 'sandbox') on conflict do nothing`,
  );
  const order = orderBooker(app, deploymentId);
  await order('buy', 10, 400, 0, '2026-01-06');
  await order('sell', 4, 450, 200, '2026-01-07');
  await bookTrips(app, deploymentId);
  await pool.query(
    `insert into positions (deployment_id, symbol, quantity, cost_micro, mark_price, current_value_micro,
       total_cost_micro, unrealized_micro, notional_micro, opened_at, marked_at)
     values ($1, 'SPY', 6, 2400000000, 420, 2520000000, 2400000000, 120000000, 2520000000, now(), now())`,
    [deploymentId],
  );
  // 10,000 − 4,000 − 1 + 1,800 − 1 of cash; 200 − 2 realised.
  await pool.query(
    `update deployments set status = 'active', revision = revision + 1, cash_micro = 7798000000, realized_micro = 198000000,
       equity_micro = 10318000000, marked_at = '2026-01-08T15:00:00Z' where id = $1`,
    [deploymentId],
  );
  await pool.query(
    `insert into equity_marks (deployment_id, date, at, cash_micro, positions_micro, equity_micro, benchmark)
     values ($1, '2026-01-05', '2026-01-05T21:00Z', 10000000000, 0, 10000000000, 500),
       ($1, '2026-01-06', '2026-01-06T21:00Z', 5999000000, 4010000000, 10009000000, 505),
       ($1, '2026-01-07', '2026-01-07T21:00Z', 7798000000, 2610000000, 10408000000, 510)`,
    [deploymentId],
  );
}

/** The round trips in SPY, from the fills. */
export async function bookTrips({ records: { database } }: TestApp, deploymentId: string): Promise<void> {
  const instruments = new Map((await listInstruments(database)).map((one) => [one.symbol, one]));
  const touched = {
    deploymentId: deploymentId as DeploymentId,
    symbol: 'SPY' as Symbol,
    from: 'all',
  } as const;
  await database.transaction().execute((trx) => bookRoundTrips(trx, [touched], instruments));
}

/** Sells the other six at 380, a day later: a loss of that sale, and a profit of the whole. */
export async function sellRest(app: TestApp, deploymentId: string): Promise<void> {
  await orderBooker(app, deploymentId)('sell', 6, 380, -120, '2026-01-08');
  await bookTrips(app, deploymentId);
  await app.records.pool.query('delete from positions where deployment_id = $1', [deploymentId]);
  await app.records.pool.query(
    `update deployments set revision = revision + 1, cash_micro = 10077000000, realized_micro = 77000000,
       equity_micro = 10077000000, marked_at = '2026-01-09T15:00:00Z' where id = $1`,
    [deploymentId],
  );
}

type BookOrder = (
  side: 'buy' | 'sell',
  quantity: number,
  price: number,
  realized: number,
  day: string,
) => Promise<void>;

function orderBooker({ records: { pool } }: TestApp, deploymentId: string): BookOrder {
  return async (side, quantity, price, realized, day) => {
    const id = randomUUID();
    await pool.query(
      `insert into orders (id, deployment_id, broker_connection_id, client_order_id, cause, purpose, attempt, symbol,
         side, quantity, limit_price, reference_price, status, filled_quantity, filled_value_micro, realized_micro,
         decided_at)
       select $1, d.id, d.broker_connection_id, $1::uuid::text, $1::uuid::text, 'rebalance', 1, 'SPY', $3, $4, $5, $5,
         'filled', $4, $6, $7, $8 from deployments d where d.id = $2`,
      [id, deploymentId, side, quantity, price, quantity * price * 1e6, realized * 1e6, `${day}T21:00:00Z`],
    );
    await pool.query(
      `insert into fills (execution_id, account_id, order_id, deployment_id, symbol, side, quantity, price,
         commission_micro, realized_micro, executed_at)
       values ($1::uuid::text, 'DU1', $1, $2, 'SPY', $3, $4, $5, 1000000, $6, $7)`,
      [id, deploymentId, side, quantity, price, realized * 1e6, `${day}T14:30:00Z`],
    );
  };
}
