// Dividends, taxes, interest and transfers as the broker itemises them, where our own rules have estimated before.
import { afterAll, beforeEach, expect, it } from 'vitest';
import type { FeeBasis } from '#engine/cash/cash-activity.ts';
import { nextTradingDay } from '#engine/market/calendar.ts';
import { shownNotices } from '#tests/support/shown-notices.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';

const handle = await testDatabase();
const world = await tradingWorld(handle);
const { market, venue } = world;
venue.itemises = true;
const version = await world.addStrategy({ ...BOTH_ABOVE_30, universe: ['BBB'] });
const BBB = 'BBB' as Symbol;
let account: string;
let nth = 0;
let id: DeploymentId;

afterAll(() => world.trader.close());
/** 200 BBB of the deployment and 100 of the owner, who held them before; a dividend of half a dollar was estimated. */
beforeEach(async () => {
  account = `DUACT${(nth += 1)}`;
  venue.tradeExternally(account, 'BBB', 'buy', 100);
  market.setPrice('BBB', 40);
  id = await world.deploy(version, { account });
  market.closeDay();
  await world.runTicks();
  market.openDay();
  await world.runTicks();
  const exDate = nextTradingDay('us-equity', utcDate(market.now()));
  market.actions.push({ symbol: BBB, kind: 'dividend', exDate, amount: 0.5 });
  market.closeDay();
  await world.runTicks();
});

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const held = async () =>
  Number(
    (await rows(`select quantity::float as units from positions where deployment_id = $1`, id))[0].units,
  );
const cash = async () =>
  Number((await rows(`select cash_micro::float / 1e6 as cash from deployments where id = $1`, id))[0].cash);
const changes = () =>
  rows(
    `select kind, number, change_micro::float / 1e6 as change from stated_changes where deployment_id = $1
     order by kind, date, number`,
    id,
  );
const movements = () =>
  rows(
    `select split_part(reference, ':', 1) as how, line, amount_micro::float / 1e6 as amount from cash_movements
     where account_id = $1 order by at, reference`,
    account,
  );
const unexplained = async () =>
  Number(
    (
      await rows(
        `select sum(unexplained_micro)::float / 1e6 as unexplained from cash_statements where account_id = $1`,
        account,
      )
    )[0].unexplained,
  );
const holds = async () =>
  expect((await checkRecords(handle.database)).flatMap(({ violations }) => violations)).toEqual([]);
const days = async (count: number) => {
  for (let day = 0; day < count; day++) {
    market.openDay();
    await world.runTicks();
    market.closeDay();
    await world.runTicks(3);
  }
};
const state = (
  kind: 'dividend' | 'withholding_tax' | 'interest' | 'deposit' | 'trading_fee' | 'other',
  dollars: number,
  units: number | null = null,
  chargedBy: FeeBasis | null = null,
) =>
  venue.state(account, {
    kind,
    chargedBy,
    symbol: kind === 'dividend' || kind === 'withholding_tax' ? BBB : null,
    amount: toMicro(dollars),
    units: units === null ? null : toQuantity(units),
    date: utcDate(market.now()),
  });

it('the figure for a dividend replaces the estimates of deployment and owner, once, and the owner is notified', async () => {
  const units = await held();
  const [before, share] = [await cash(), 0.45 * units];
  market.openDay();
  state('dividend', 0.45 * (units + 100), units + 100);
  market.closeDay();
  await world.runTicks(3);
  expect(await changes()).toEqual([
    { kind: 'dividend', number: 1, change: expect.closeTo(share - 0.5 * units, 6) },
  ]);
  expect(await cash()).toBeCloseTo(before - 0.05 * units, 6);
  expect(await movements()).toEqual([
    { how: 'estimate', line: 'dividends', amount: 50 },
    { how: 'stated', line: 'dividends', amount: -5 },
  ]);
  expect(await unexplained()).toBeCloseTo(0, 6);
  const notices = await shownNotices(
    handle,
    `deployment_id = $1 and facts -> 'holding' ->> 'type' = 'stated'`,
    id,
  );
  expect(notices).toHaveLength(1);
  await world.restart();
  await days(2);
  expect(await changes()).toHaveLength(1);
  expect(await unexplained()).toBeCloseTo(0, 6);
  await holds();
});

it('a tax is taken off, and a reversed figure that is paid again counts as it is', async () => {
  const units = await held();
  const before = await cash();
  const all = units + 100;
  market.openDay();
  state('dividend', 0.5 * all, all);
  state('withholding_tax', -0.075 * all);
  market.closeDay();
  await world.runTicks(3);
  expect(await cash()).toBeCloseTo(before - 0.075 * units, 5);
  state('dividend', -0.5 * all, all);
  state('dividend', 0.6 * all, all);
  await days(1);
  expect(await cash()).toBeCloseTo(before + 0.025 * units, 5);
  expect(await unexplained()).toBeCloseTo(0, 5);
  await holds();
});

it('fees of a day’s trades are shared by those who sold that day, to the cent, and once', async () => {
  expect(await held()).toBe(200);
  market.setPrice('BBB', 25);
  await days(1);
  market.openDay();
  await world.runTicks();
  venue.tradeExternally(account, 'BBB', 'sell', 50);
  state('trading_fee', -0.02);
  state('trading_fee', -0.08);
  const before = await cash();
  market.closeDay();
  await world.runTicks(3);
  const ofFees = async () => (await changes()).filter(({ kind }) => kind === 'trading_fee');
  expect(await ofFees()).toEqual([{ kind: 'trading_fee', number: 1, change: -0.08 }]);
  expect(await cash()).toBeCloseTo(before - 0.08, 6);
  expect((await movements()).filter(({ line }) => line === 'fees')).toEqual([
    { how: 'stated', line: 'fees', amount: -0.02 },
  ]);
  await world.restart();
  await days(1);
  expect(await ofFees()).toHaveLength(1);
  await holds();
});

it('a fee for each unit is shared by units, and one of proceeds by proceeds', async () => {
  market.setPrice('BBB', 25);
  await days(1);
  market.openDay();
  await world.runTicks();
  market.setPrice('BBB', 100);
  venue.tradeExternally(account, 'BBB', 'sell', 50);
  state('trading_fee', -0.1, null, 'units');
  state('trading_fee', -0.06, null, 'worth');
  market.closeDay();
  await world.runTicks(3);
  expect((await changes()).filter(({ kind }) => kind === 'trading_fee')).toEqual([
    { kind: 'trading_fee', number: 1, change: -0.11 },
  ]);
  expect((await movements()).filter(({ line }) => line === 'fees')).toEqual([
    { how: 'stated', line: 'fees', amount: -0.05 },
  ]);
  await holds();
});

it('a fee for trades of a day on which no deployment traded is the owner’s', async () => {
  market.openDay();
  state('trading_fee', -0.02);
  market.closeDay();
  await world.runTicks(3);
  expect(await changes()).toEqual([]);
  expect((await movements()).filter(({ line }) => line === 'fees')).toEqual([
    { how: 'activity', line: 'fees', amount: -0.02 },
  ]);
  await holds();
});

it('interest and deposits are the owner’s; what nobody can place is for people', async () => {
  const before = await cash();
  state('interest', -1.25);
  state('deposit', 500);
  state('other', 7);
  await days(1);
  expect(await movements()).toEqual(
    expect.arrayContaining([
      { how: 'activity', line: 'interest', amount: -1.25 },
      { how: 'activity', line: 'transfers', amount: 500 },
    ]),
  );
  expect(await cash()).toBe(before);
  // The dividend of this account is still an estimate, and the venue has not paid it.
  const owed = 0.5 * ((await held()) + 100);
  expect(await unexplained()).toBeCloseTo(7 - owed, 6);
  await holds();
});

it('a figure for other units than the books have changes nothing, and stays a difference', async () => {
  market.openDay();
  state('dividend', 0.5 * 10, 10);
  market.closeDay();
  await world.runTicks(3);
  expect(await changes()).toEqual([]);
  expect(await unexplained()).not.toBeCloseTo(0, 2);
  await holds();
});

it('what moved before the opening on its day is in its cash, and does not count again', async () => {
  account = 'DUACTEARLY';
  venue.state(account, {
    kind: 'deposit',
    symbol: null,
    amount: toMicro(300),
    units: null,
    date: utcDate(market.now()),
  });
  await world.deploy(version, { account });
  await world.runTicks();
  await days(2);
  expect(await rows(`select verdict from cash_activities where account_id = $1`, account)).toEqual([
    { verdict: 'opening' },
  ]);
  expect(await movements()).toEqual([]);
  expect(await unexplained()).toBe(0);
  await holds();
});
