// Options at Alpaca: written against shares, by the level of the account, and ended as our rules and the broker's books both say.
import { afterAll, beforeEach, expect, it } from 'vitest';
import { optionInstrument, parseOption } from '#engine/market/option-contract.ts';
import type { Account } from '#sandbox/alpaca/orders/order.ts';
import { requestStatusOfAll } from '#tests/support/deployment-commands.ts';
import { audited } from '#tests/support/audited.ts';
import { alpacaWorld } from '#tests/support/alpaca-world.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30 } from '#tests/support/trading-world.ts';
import type { TradingPerson } from '#tests/support/trading-rows.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';

const COVERED_CALL = {
  ...BOTH_ABOVE_30,
  name: 'Covered call',
  universe: ['AAA'],
  direction: 'long_short',
  gross: 0.9,
  options: { structure: 'covered_call', underlyings: ['AAA'], strikePercent: 102 },
};
const MARCH = 'AAA.260320C102' as Symbol;
const APRIL = 'AAA.260417C114' as Symbol;

const handle = await testDatabase();
const world = await alpacaWorld(handle);
const { market, standIn } = world;
for (const symbol of [MARCH, APRIL]) market.list(optionInstrument(parseOption(symbol)!), 1.5);
const version = await world.addStrategy(COVERED_CALL);
let person: TradingPerson;
let account: Account;
let id: DeploymentId;

afterAll(() => world.close());
beforeEach(async () => {
  standIn.books.fillsAtMost = 1;
  ({ person, account } = await world.join());
});

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const held = async () =>
  Object.fromEntries(
    (await rows(`select symbol, quantity::float from positions where deployment_id = $1 order by 1`, id)).map(
      ({ symbol, quantity }) => [symbol, quantity],
    ),
  );
const atBroker = () =>
  Object.fromEntries(
    [...account.held].filter(([, units]) => units !== 0).map(([symbol, units]) => [symbol, units / 1e8]),
  );
const waiting = () =>
  rows(
    `select symbol, reason_params -> 'restriction' as why from orders where deployment_id = $1 and status = 'intended'`,
    id,
  );
async function days(count: number): Promise<void> {
  for (let day = 0; day < count; day++) {
    market.closeDay();
    await world.runTicks();
    market.openDay();
    await world.runTicks(3);
  }
}

it('an early assignment is booked once from what the broker lists: the shares leave at the strike, and the rest goes on', async () => {
  id = await world.deploy(version, { person, investment: 25_000 });
  await days(1);
  await world.runTicks(3);
  expect(await held()).toEqual({ AAA: 225, [MARCH]: -2 });
  standIn.books.fillsAtMost = 0;
  market.closeDay();
  await world.runTicks(3);
  standIn.books.assign(account, MARCH, 1, market.now());
  await world.runTicks(1);
  market.openDay();
  await world.runTicks(3);
  expect(atBroker()).toEqual({ AAA: 125, [MARCH]: -1 });
  expect(await held()).toEqual({ AAA: 125, [MARCH]: -1 });
  const events = () =>
    rows(
      `select kind, event ->> 'contracts' as contracts, event ->> 'strike' as strike from position_events where deployment_id = $1`,
      id,
    );
  expect(await events()).toEqual([{ kind: 'assignment', contracts: '-100000000', strike: '102' }]);
  expect(await audited(handle.database)).toEqual([]);
  await world.restart();
  await days(1);
  expect(await held()).toEqual({ AAA: 125, [MARCH]: -1 });
  expect(await events()).toHaveLength(1);
  const breaks = await rows(
    `select from reconciliation_breaks where account_id = $1 and ended_at is null`,
    account.number,
  );
  expect(breaks).toEqual([]);
  const statements = await rows(
    `select sum(deliveries_micro)::float8 / 1e6 as deliveries, sum(unexplained_micro)::float8 as unexplained
     from cash_statements where account_id = $1`,
    account.number,
  );
  expect(statements).toEqual([{ deliveries: 100 * 102, unexplained: 0 }]);
  await world.everythingHolds();
});

it('what is stopped buys its calls back before it sells the shares that cover them', async () => {
  id = await world.deploy(version, { person, investment: 25_000 });
  await days(1);
  await world.runTicks(3);
  expect(await held()).toEqual({ AAA: 225, [MARCH]: -2 });
  standIn.books.fillsAtMost = 0;
  await requestStatusOfAll(handle.pool, ['active'], 'stopped');
  await world.runTicks(4);
  const open = () =>
    rows(
      `select symbol, side, status, reason_code from orders
       where deployment_id = $1 and purpose = 'liquidation' and ended_at is null order by symbol`,
      id,
    );
  expect(await open()).toEqual([
    { symbol: 'AAA', side: 'sell', status: 'intended', reason_code: 'call_first' },
    { symbol: MARCH, side: 'buy', status: 'working', reason_code: null },
  ]);
  standIn.books.fillsAtMost = 1;
  await world.runTicks(6);
  expect(await open()).toEqual([]);
  expect(await held()).toEqual({});
  expect(atBroker()).toEqual({});
  expect(await rows(`select from orders where deployment_id = $1 and status = 'rejected'`, id)).toEqual([]);
  const fills = standIn.books.fills.filter(({ order }) => order.account === account);
  expect(fills.slice(-2).map(({ order }) => [order.instrument.symbol, order.side])).toEqual([
    [MARCH, 'buy'],
    ['AAA', 'sell'],
  ]);
  await world.everythingHolds();
});

it('an account of level 0 writes nothing and says which level it needs; a call is written once it has that, and is assigned', async () => {
  Object.assign(account.flags, { optionsTradingLevel: 0 });
  id = await world.deploy(version, { person, investment: 25_000 });
  await days(1);
  expect(await held()).toEqual({ AAA: 225 });
  expect(await waiting()).toEqual([{ symbol: MARCH, why: { code: 'options_level', level: 0, needed: 1 } }]);
  Object.assign(account.flags, { optionsTradingLevel: 1 });
  await world.runTicks(3);
  expect(await held()).toEqual({ AAA: 225, [MARCH]: -2 });
  expect(atBroker()).toEqual(await held());
  await world.everythingHolds();

  market.setPrice('AAA', 110);
  market.setPrice(MARCH, 8);
  while (utcDate(market.now()) < '2026-03-20') await days(1);
  standIn.books.fillsAtMost = 0;
  market.closeDay();
  await world.runTicks(3);
  expect(
    standIn.books.activities
      .filter((one) => one.account === account)
      .map(({ type, symbol }) => [type, symbol]),
  ).toEqual([
    ['OPASN', MARCH],
    ['OPTRD', 'AAA'],
  ]);
  expect(await held()).toEqual({ AAA: 25 });
  expect(atBroker()).toEqual({ AAA: 25 });
  const [statement] = await rows(
    `select sum(deliveries_micro)::float8 / 1e6 as deliveries, sum(unexplained_micro)::float8 as unexplained
     from cash_statements where account_id = $1`,
    account.number,
  );
  expect(statement).toEqual({ deliveries: 200 * 102, unexplained: 0 });
  await world.restart();
  await world.runTicks(3);
  expect(await held()).toEqual({ AAA: 25 });
  await world.everythingHolds();
});
