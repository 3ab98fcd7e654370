// What a broker says that an account may not do: orders wait with the reason, exits leave where it takes them, and it ends when
// the broker says so no more.
import { afterAll, beforeEach, expect, it } from 'vitest';
import { alpacaWorld } from '#tests/support/alpaca-world.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, SHORT_ABOVE_30 } from '#tests/support/trading-world.ts';
import type { TradingPerson } from '#tests/support/trading-rows.ts';
import type { Account, AccountFlags } from '#sandbox/alpaca/orders/order.ts';

const handle = await testDatabase();
const world = await alpacaWorld(handle);
const { market } = world;
const long = await world.addStrategy(BOTH_ABOVE_30);
const short = await world.addStrategy(SHORT_ABOVE_30);
let person: TradingPerson;
let account: Account;

afterAll(() => world.close());
beforeEach(async () => {
  ({ person, account } = await world.join());
});

const orders = async (id: string) =>
  (
    await handle.pool.query<{ symbol: string; purpose: string; status: string; reason: string | null }>(
      `select symbol, purpose, status, reason_params #>> '{restriction,code}' as reason from orders
       where deployment_id = $1 and status <> 'withdrawn' order by created_at, symbol`,
      [id],
    )
  ).rows.map(({ symbol, purpose, status, reason }) =>
    [symbol, purpose, status, ...(reason ? [reason] : [])].join(' '),
  );
const incidents = async () =>
  (
    await handle.pool.query(
      `select facts ->> 'restrictions' as said, ended_at is not null as "isOver" from incidents
       where kind = 'account_restricted' and account_id = $1 order by since`,
      [account.number],
    )
  ).rows;
const restrict = async (flags: Partial<AccountFlags>) => {
  Object.assign(account.flags, flags);
  await world.runTicks(3);
};
const free = {
  status: 'ACTIVE',
  tradingBlocked: false,
  accountBlocked: false,
  tradeSuspendedByUser: false,
  transfersBlocked: false,
};
async function open() {
  market.closeDay();
  await world.runTicks();
  market.openDay();
  await world.runTicks(3);
}

it.each([
  ['trading_blocked', { tradingBlocked: true }],
  ['account_blocked', { accountBlocked: true }],
  ['not_active', { status: 'ACCOUNT_UPDATED' }],
  ['suspended_by_owner', { tradeSuspendedByUser: true }],
  ['transfers_blocked', { transfersBlocked: true }],
] as const)(
  'an account with %s opens nothing, at the desk and at the order, until it is lifted',
  async (code, flags) => {
    Object.assign(account.flags, flags);
    const id = await world.deploy(long, { person });
    await open();
    expect(await orders(id)).toEqual([`AAA rebalance intended ${code}`, `BBB rebalance intended ${code}`]);
    expect(await incidents()).toEqual([{ said: code, isOver: false }]);
    expect(world.standIn.books.orders.filter((order) => order.account === account)).toEqual([]);
    await restrict(free);
    expect(await orders(id)).toEqual(['AAA rebalance filled', 'BBB rebalance filled']);
    expect(await incidents()).toEqual([{ said: code, isOver: true }]);
    await world.everythingHolds();
  },
);

it('an exit leaves where only transfers are blocked, and waits where nothing is taken', async () => {
  const id = await world.deploy(long, { person });
  await open();
  await restrict({ transfersBlocked: true, tradingBlocked: true });
  await handle.pool.query(`update deployments set requested_status = 'stopped' where id = $1`, [id]);
  await world.runTicks(4);
  expect((await orders(id)).filter((one) => one.includes('liquidation'))).toEqual([
    'AAA liquidation intended trading_blocked',
    'BBB liquidation intended trading_blocked',
  ]);
  await restrict({ tradingBlocked: false });
  await world.runTicks(2);
  expect((await orders(id)).filter((one) => one.includes('liquidation'))).toEqual([
    'AAA liquidation filled',
    'BBB liquidation filled',
  ]);
  expect(await incidents()).toEqual([{ said: 'transfers_blocked', isOver: false }]);
});

it('a pattern day trader opens no more than the day-trading buying power, an account without short sales no short position', async () => {
  Object.assign(account.flags, { patternDayTrader: true, dayTradingBuyingPower: 100, shortingEnabled: true });
  const id = await world.deploy(long, { person });
  const other = await world.deploy(short, { person });
  await open();
  expect(await orders(id)).toEqual([
    'AAA rebalance intended day_trading_power',
    'BBB rebalance intended day_trading_power',
  ]);
  await restrict({ dayTradingBuyingPower: 400_000, shortingEnabled: false });
  expect(await orders(other)).toEqual([
    'AAA rebalance intended no_shorting',
    'BBB rebalance intended no_shorting',
  ]);
  expect(await incidents()).toEqual([]);
});
