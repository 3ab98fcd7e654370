import { afterAll, expect, test } from 'vitest';
import { optionInstrument, parseOption } from '#engine/market/option-contract.ts';
import { nextTradingDay } from '#engine/market/calendar.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';
import { testDatabase } from '../support/test-database.ts';
import { tradingWorld } from '../support/trading-world.ts';
import { checkInvariants } from '#trader/invariants/check-invariants.ts';
import { shownNotices } from '../support/shown-notices.ts';

const COVERED_CALL = {
  language: 'bellwether-strategy/1',
  name: 'Covered call',
  universe: ['AAA'],
  benchmark: 'AAA',
  direction: 'long_short',
  rule: {
    type: 'signals',
    enterLong: { op: 'above', left: 'close', right: 1 },
    exitLong: { op: 'below', left: 'close', right: 1 },
  },
  gross: 0.9,
  options: { structure: 'covered_call', underlyings: ['AAA'], strikePercent: 102 },
};
const MARCH = 'AAA.260320C102';
const APRIL = 'AAA.260417C114';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue } = world;
afterAll(() => world.trader.close());

for (const symbol of [MARCH, APRIL]) market.list(optionInstrument(parseOption(symbol as Symbol)!), 1.5);
const version = await world.addStrategy(COVERED_CALL);
const id = await world.deploy(version, { account: 'DU1', investment: 25_000 });

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const held = async (deployment: DeploymentId) =>
  Object.fromEntries(
    (
      await rows(
        `select symbol, quantity::float from positions where deployment_id = $1 order by 1`,
        deployment,
      )
    ).map(({ symbol, quantity }) => [symbol, quantity]),
  );
const money = async () =>
  (await rows(`select cash_micro::float as cash, equity_micro::float as equity from deployments`))[0];
const notices = async () =>
  (await shownNotices(handle, `kind = 'position_changed'`)).map(({ message }) => message);
const brokerSide = { broker: venue.broker, openCredentials: () => ({}), pause: async () => undefined };
const violations = async () =>
  (await checkInvariants(handle.database, brokerSide)).flatMap(({ violations: found, notChecked }) => [
    ...found,
    ...(notChecked === null ? [] : [{ notChecked }]),
  ]);
/** To a minute after the close of a day, through every close before it. */
async function closeOf(date: string): Promise<void> {
  for (;;) {
    market.closeDay();
    if (utcDate(market.now()) === date) return;
    await world.trader.tick();
    market.openDay();
    await world.trader.tick();
  }
}

test('calls are written once the shares that cover them are there', async () => {
  market.closeDay();
  await world.trader.tick();
  expect(await held(id)).toEqual({});
  market.openDay();
  await world.trader.tick();
  await world.trader.tick();
  expect(await held(id)).toEqual({ AAA: 225, [MARCH]: -2 });
  expect(await violations()).toEqual([]);
});

test('a written call in the money is assigned at its end: shares leave at the strike, once, whatever dies', async () => {
  market.setPrice('AAA', 110);
  market.setPrice(MARCH, 8);
  await closeOf('2026-03-20');
  venue.deliver('DU1', MARCH, 2);
  venue.deliver('DU1', 'AAA', -200);
  venue.matches = false;
  const before = await money();
  // The trader dies after the night was dealt with, before it is noted as passed.
  await handle.pool.query(`alter table processed_sessions rename to processed_sessions_away`);
  await handle.pool.query(
    `create table processed_sessions (calendar text primary key check (calendar = ''), date date)`,
  );
  await world.trader.tick();
  await handle.pool.query(`drop table processed_sessions`);
  await handle.pool.query(`alter table processed_sessions_away rename to processed_sessions`);
  expect(await held(id)).toEqual({ AAA: 25 });
  const trader = await world.restart();
  await trader.tick();
  await trader.tick();
  expect(await held(id)).toEqual({ AAA: 25 });
  expect(await money()).toEqual({ cash: before.cash + 200 * 102e6, equity: before.equity });
  expect(await notices()).toEqual([
    'Covered call: 2 calls on AAA at $102 were assigned: 200 shares of AAA were sold at $102 each; the premium received counts towards the price of the shares.',
  ]);
  // (102 + 1.50 of premium - 100) for each of them.
  const [event] = await rows(
    `select realized_micro::float as realized from position_events where kind = 'assignment'`,
  );
  expect(event).toEqual({ realized: 200 * 3.5e6 });
  expect(await violations()).toEqual([]);
});

test('the strategy then buys its shares back and writes the next month', async () => {
  venue.matches = true;
  market.openDay();
  await world.trader.tick();
  await world.trader.tick();
  const { AAA, [APRIL]: calls } = await held(id);
  expect(AAA).toBeGreaterThan(200);
  expect(calls).toBe(-2);
  expect(await violations()).toEqual([]);
});

test('a call is assigned on the evening before a dividend above its time value, and called shares get none', async () => {
  market.setPrice('AAA', 125);
  market.setPrice(APRIL, 11.2);
  await closeOf('2026-04-08');
  const exDate = nextTradingDay('us-equity', utcDate(market.now()));
  market.actions.push({ symbol: 'AAA' as Symbol, kind: 'dividend', exDate, amount: 3 });
  const before = await money();
  const { AAA: shares } = await held(id);
  venue.deliver('DU1', APRIL, 2);
  venue.deliver('DU1', 'AAA', -200);
  market.setPrice('AAA', 122);
  await world.trader.tick();
  await world.trader.tick();
  expect(await held(id)).toEqual({ AAA: shares! - 200 });
  const after = await money();
  expect(after.cash).toBe(before.cash + 200 * 114e6 + (shares! - 200) * 3e6);
  // What the assignment took is the time value that its holder gave up: 20 cents on each of 200 shares came back.
  expect(after.equity - before.equity).toBe(200 * 0.2e6);
  expect(await notices()).toContainEqual(
    expect.stringContaining('2 calls on AAA at $114 were assigned, before the last day'),
  );
  expect(await violations()).toEqual([]);
});
