// A broker that lists no assignments, as Interactive Brokers: one is found by the comparison of positions, and books nothing by itself.
import { afterAll, expect, it } from 'vitest';
import { optionInstrument, parseOption } from '#engine/market/option-contract.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import type { Symbol } from '#units/identifiers.ts';

const CALL = 'AAA.260320C102' as Symbol;
const ACCOUNT = 'DUWRITER';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue } = world;
market.list(optionInstrument(parseOption(CALL)!), 1.5);
afterAll(() => world.trader.close());

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const held = async () =>
  Object.fromEntries(
    (await rows('select symbol, quantity::float from positions order by 1')).map((one) => [
      one.symbol,
      one.quantity,
    ]),
  );
const breaks = () =>
  rows(
    `select kind, symbol, (theirs - ours - external)::float as difference from reconciliation_breaks
     where account_id = $1 and ended_at is null order by symbol`,
    ACCOUNT,
  );

it('an early assignment is a difference of contract and shares, which people look at and nothing is traded for', async () => {
  const version = await world.addStrategy({
    ...BOTH_ABOVE_30,
    name: 'Covered call',
    universe: ['AAA'],
    direction: 'long_short',
    gross: 0.9,
    options: { structure: 'covered_call', underlyings: ['AAA'], strikePercent: 102 },
  });
  await world.deploy(version, { account: ACCOUNT, investment: 25_000 });
  const opened = await venue.broker.openSession({});
  if (opened.outcome === 'failed') throw new Error(opened.reason);
  expect(opened.value.assignments).toBeUndefined();
  market.closeDay();
  await world.runTicks();
  market.openDay();
  await world.runTicks(3);
  expect(await held()).toEqual({ AAA: 225, [CALL]: -2 });
  market.closeDay();
  await world.runTicks(3);
  expect(await breaks()).toEqual([]);

  venue.deliver(ACCOUNT, CALL, 1);
  venue.deliver(ACCOUNT, 'AAA', -100);
  const sent = async () =>
    (await rows('select count(*)::int as sent from orders where sent_at is not null'))[0];
  const before = await sent();
  market.openDay();
  await world.runTicks(3);
  expect(await breaks()).toEqual([
    { kind: 'unexplained', symbol: 'AAA', difference: -100 },
    { kind: 'unexplained', symbol: CALL, difference: 1 },
  ]);
  expect(world.problems).toContainEqual(
    expect.stringContaining('a person must look, nothing is traded for it'),
  );
  expect(await held()).toEqual({ AAA: 225, [CALL]: -2 });
  expect(await rows('select from position_events')).toEqual([]);
  // The rule wants out of both.
  market.setPrice('AAA', 20);
  market.closeDay();
  await world.runTicks(3);
  market.openDay();
  await world.runTicks(3);
  expect(await sent()).toEqual(before);
  expect(await held()).toEqual({ AAA: 225, [CALL]: -2 });
});
