// An order whose refusal was none: the broker took it all the same.
import { requestStatusOfAll } from '../support/deployment-commands.ts';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, type TradingWorld, tradingWorld } from '../support/trading-world.ts';
import { checkInvariants } from '#trader/invariants/check-invariants.ts';

const handle = await testDatabase();
const base = await tradingWorld(handle);
const { market, venue } = base;
const world: TradingWorld = base;
const version = await world.addStrategy(BOTH_ABOVE_30);
afterAll(() => world.trader.close());

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const statuses = async (id: string) =>
  (
    await rows(`select symbol, status from orders where deployment_id = $1 order by symbol, decided_at`, id)
  ).map((row) => `${row.symbol} ${row.status}`);
const submittedOnce = () => expect(new Set(venue.submissions).size).toBe(venue.submissions.length);
const runTicks = async () => {
  world.wait(60_000);
  return world.trader.tick();
};
/** Everything holds, at the broker too. */
const holds = async () => {
  const side = { brokers: [venue.broker], openCredentials: () => ({}), pause: async () => undefined };
  const verdicts = await checkInvariants(handle.database, side);
  expect(
    verdicts.flatMap(({ violations, says }) => violations.map((violation) => ({ says, violation }))),
  ).toEqual([]);
};

beforeEach(async () => {
  await requestStatusOfAll(handle.pool, ['pending', 'active', 'paused', 'frozen'], 'stopped');
  for (let i = 0; i < 3; i++) {
    market.openDay();
    await runTicks();
  }
  expect(
    await rows(`select id, status from deployments where status not in ('stopped', 'liquidated')`),
  ).toEqual([]);
  market.setPrice('AAA', 100);
  market.setPrice('BBB', 40);
  market.closeDay();
  await runTicks();
});

describe('a refusal that was none, in words that nobody knows', () => {
  test('leaves an order that works: it is cancelled at the next look, and nothing is sent twice', async () => {
    const id = await world.deploy(version);
    venue.faults.push('rejected, accepted');
    await runTicks();
    expect(await statuses(id)).toEqual(['AAA rejected', 'BBB working']);
    expect(venue.orders.slice(-2).map(({ symbol, status }) => `${symbol} ${status}`)).toEqual([
      'AAA cancelled',
      'BBB working',
    ]);
    submittedOnce();
    await holds();
  });

  test('books what it fills before that', async () => {
    const id = await world.deploy(version);
    venue.cancellations = 'fill wins';
    venue.faults.push('rejected, accepted');
    market.openDay();
    await runTicks();
    venue.cancellations = 'at once';
    await runTicks();
    const units = await rows(
      `select symbol, quantity::float8 * 1e8 as units from positions where deployment_id = $1`,
      id,
    );
    const [own] = await rows(
      `select account_id as account from broker_connections c join deployments d on d.broker_connection_id = c.id
       where d.id = $1`,
      id,
    );
    for (const { symbol, units: booked } of units) expect(booked).toBe(venue.position(own.account, symbol));
    expect(units.map(({ symbol }) => symbol).toSorted()).toEqual(['AAA', 'BBB']);
    submittedOnce();
    await holds();
  });
});
