// Early assignments at Alpaca that meet several deployments, or that the broker corrects or cancels.
import { afterAll, beforeEach, expect, it } from 'vitest';
import { optionInstrument, parseOption } from '#engine/market/option-contract.ts';
import type { Account } from '#sandbox/alpaca/orders/order.ts';
import { audited } from '#tests/support/audited.ts';
import { alpacaWorld } from '#tests/support/alpaca-world.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30 } from '#tests/support/trading-world.ts';
import type { TradingPerson } from '#tests/support/trading-rows.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { parseInstant } from '#units/instant.ts';
import { micro } from '#units/money.ts';
import { quantity } from '#units/quantity.ts';

const COVERED_CALL = {
  ...BOTH_ABOVE_30,
  name: 'Covered call',
  universe: ['AAA'],
  direction: 'long_short',
  gross: 0.9,
  options: { structure: 'covered_call', underlyings: ['AAA'], strikePercent: 102 },
};
const MARCH = 'AAA.260320C102' as Symbol;

const handle = await testDatabase();
const world = await alpacaWorld(handle);
const { market, standIn } = world;
market.list(optionInstrument(parseOption(MARCH)!), 1.5);
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
async function days(count: number): Promise<void> {
  for (let day = 0; day < count; day++) {
    market.closeDay();
    await world.runTicks();
    market.openDay();
    await world.runTicks(3);
  }
}

it('of several deployments each bears its part of an assignment, in whole contracts, the same after a restart', async () => {
  const ids: DeploymentId[] = [];
  for (const investment of [25_000, 45_000, 14_000])
    ids.push(await world.deploy(version, { person, investment }));
  const written = () =>
    rows(
      `select coalesce(-p.quantity, 0)::float as calls from unnest($1::uuid[]) with ordinality d(id, place)
       left join positions p on p.deployment_id = d.id and p.symbol = $2 order by d.place`,
      ids,
      MARCH,
    ).then((found) => found.map(({ calls }) => calls));
  await days(1);
  await world.runTicks(3);
  expect(await written()).toEqual([2, 4, 1]);
  standIn.books.fillsAtMost = 0;
  const assign = async (contracts: number) => {
    market.closeDay();
    await world.runTicks(3);
    standIn.books.assign(account, MARCH, contracts, market.now());
    await world.runTicks(1);
    market.openDay();
    await world.runTicks(3);
  };
  await assign(3);
  // 0.86, 1.71 and 0.43 of them.
  expect(await written()).toEqual([1, 2, 1]);
  await world.restart();
  await world.runTicks(3);
  expect(await written()).toEqual([1, 2, 1]);
  // Half a contract, one and half a contract: of equal parts the one that began first.
  await assign(2);
  expect(await written()).toEqual([0, 1, 1]);
  const events = await rows(
    `select count(*)::int as events, count(distinct execution)::int as activities from position_events
     where deployment_id = any($1) and kind = 'assignment'`,
    ids,
  );
  expect(events).toEqual([{ events: 4, activities: 2 }]);
  expect(await audited(handle.database)).toEqual([]);
  await world.everythingHolds();
});

it('an assignment that is cancelled before it is booked is none, and a corrected one counts as corrected, once', async () => {
  id = await world.deploy(version, { person, investment: 25_000 });
  await days(1);
  await world.runTicks(3);
  standIn.books.fillsAtMost = 0;
  market.closeDay();
  await world.runTicks(3);
  const { activities } = standIn.books;
  const begun = activities.length;
  standIn.books.assign(account, MARCH, 2, market.now());
  const [wrong] = activities.slice(begun);
  // The broker corrects it to one contract, gives the other one and its shares back, and lists another that it cancels.
  const one = { ...wrong!, units: quantity(1e8) };
  standIn.books.move({ ...one, status: 'correct', previousId: wrong!.id });
  standIn.books.move({ ...one, status: 'canceled' });
  account.held.set(MARCH, quantity(-1e8));
  account.held.set('AAA' as Symbol, quantity(125e8));
  account.cash = micro(account.cash - 100 * 102e6);
  await world.runTicks(1);
  market.openDay();
  await world.runTicks(3);
  expect(await held()).toEqual({ AAA: 125, [MARCH]: -1 });
  await world.restart();
  await days(1);
  expect(await held()).toEqual({ AAA: 125, [MARCH]: -1 });
  const events = await rows(
    `select execution, event ->> 'contracts' as contracts from position_events where deployment_id = $1`,
    id,
  );
  const corrected = activities.find(({ previousId }) => previousId === wrong!.id)!;
  expect(events).toEqual([{ execution: corrected.id, contracts: '-100000000' }]);
});

it('an assignment that is cancelled after it was booked is not booked again: contract and shares are a difference that people look at', async () => {
  id = await world.deploy(version, { person, investment: 25_000 });
  await days(1);
  await world.runTicks(3);
  standIn.books.fillsAtMost = 0;
  market.closeDay();
  await world.runTicks(3);
  const before = [...account.held];
  const cash = account.cash;
  standIn.books.assign(account, MARCH, 1, market.now());
  await world.runTicks(1);
  market.openDay();
  await world.runTicks(3);
  expect(await held()).toEqual({ AAA: 125, [MARCH]: -1 });
  standIn.books.activities.find(({ type, account: of }) => type === 'OPASN' && of === account)!.status =
    'canceled';
  for (const [symbol, units] of before) account.held.set(symbol, units);
  account.cash = cash;
  await days(1);
  expect(await held()).toEqual({ AAA: 125, [MARCH]: -1 });
  const breaks = await rows(
    `select symbol, (theirs - ours - external)::float as difference from reconciliation_breaks
     where account_id = $1 and kind = 'unexplained' and ended_at is null order by 1`,
    account.number,
  );
  expect(breaks).toEqual([
    { symbol: 'AAA', difference: 100 },
    { symbol: MARCH, difference: -1 },
  ]);
});

it('one that came while nobody looked, of a contract that has expired since, is a difference of shares that people look at', async () => {
  id = await world.deploy(version, { person, investment: 25_000 });
  await days(1);
  await world.runTicks(3);
  standIn.books.fillsAtMost = 0;
  market.closeDay();
  await world.runTicks(3);
  standIn.books.assign(account, MARCH, 1, market.now());
  while (market.now() < parseInstant('2026-03-24T00:00:00Z')) {
    market.openDay();
    market.closeDay();
  }
  await world.restart();
  await world.runTicks(6);
  market.openDay();
  await world.runTicks(3);
  expect(await held()).toEqual({ AAA: 225 });
  expect(
    await rows(
      `select symbol, (theirs - ours - external)::float as difference from reconciliation_breaks
       where account_id = $1 and kind = 'unexplained' and ended_at is null`,
      account.number,
    ),
  ).toEqual([{ symbol: 'AAA', difference: -100 }]);
  const sent = () => rows('select id from orders where deployment_id = $1 and sent_at is not null', id);
  const before = await sent();
  market.setPrice('AAA', 20);
  await days(1);
  expect(await sent()).toEqual(before);
});
