// Coins at a broker that keeps coins as its fee: our units, cash and commissions are the broker's, to the last digit.
import { afterAll, beforeEach, expect, it } from 'vitest';
import { alpacaWorld } from '#tests/support/alpaca-world.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30 } from '#tests/support/trading-world.ts';
import type { TradingPerson } from '#tests/support/trading-rows.ts';
import { type CoinFeeTerms, coinsHeld, FIRST_TIER } from '#sandbox/alpaca/orders/coin-fees.ts';
import { readDeployments } from '#records/deployments/deployment-views.ts';
import { showDeployment } from '#server/deployments/show-deployment.ts';
import { type Account, isOpen } from '#sandbox/alpaca/orders/order.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { HOUR_MS } from '#units/instant.ts';
import { toQuantity } from '#units/quantity.ts';

const handle = await testDatabase();
const world = await alpacaWorld(handle);
const { market, standIn } = world;
const BTC = 'BTCUSD' as Symbol;
const version = await world.addStrategy({
  ...BOTH_ABOVE_30,
  universe: ['BTCUSD'],
  benchmark: 'BTCUSD',
  rule: {
    type: 'signals',
    enterLong: { op: 'above', left: 'close', right: 30_000 },
    exitLong: { op: 'below', left: 'close', right: 30_000 },
  },
});
let person: TradingPerson;
let account: Account;
let id: DeploymentId;

afterAll(() => world.close());

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const held = async (deployment = id) =>
  (await rows(`select quantity::text as units from positions where deployment_id = $1`, deployment))[0]
    ?.units ?? '0';
const fills = async (deployment = id) =>
  rows(
    `select side, quantity::float8 as units, price::float8 as price, commission_micro::float8 / 1e6 as commission,
       is_provisional as "isEstimate" from fills where deployment_id = $1 order by executed_at`,
    deployment,
  );
const statements = () =>
  rows(
    `select sum(trades_micro)::float8 / 1e6 as trades, sum(commissions_micro)::float8 / 1e6 as commissions,
       sum(fees_micro)::float8 / 1e6 as fees, sum(unexplained_micro)::float8 / 1e6 as unexplained
     from cash_statements where account_id = $1`,
    account.number,
  );
const breaks = () =>
  rows(
    `select kind, symbol from reconciliation_breaks where account_id = $1 and ended_at is null`,
    account.number,
  );
const hours = async (count: number) => {
  for (let hour = 0; hour < count; hour += 6) {
    market.advance(6 * HOUR_MS);
    await world.runTicks();
  }
};

function tradeAsOwner(units: number): void {
  const { instruments } = market;
  const instrument = instruments.find(({ symbol }) => symbol === BTC)!;
  const terms = {
    side: 'buy',
    type: 'limit',
    limit: 41_000,
    stop: null,
    timeInForce: 'gtc',
    notional: null,
  } as const;
  const clientOrderId = `by hand ${units}`;
  standIn.books.add(
    { ...terms, account, clientOrderId, instrument, quantity: toQuantity(units) },
    market.now(),
  );
}

async function buys(): Promise<void> {
  market.setPrice('BTCUSD', 40_000);
  market.closeDay('crypto');
  await world.runTicks();
  market.advance(HOUR_MS);
  await world.runTicks(3);
}

beforeEach(async () => {
  Object.assign(standIn.books.coinFeeTerms, FIRST_TIER);
  standIn.books.fillsAtMost = 1;
  ({ person, account } = await world.join());
  market.setPrice('BTCUSD', 40_000);
  id = await world.deploy(version, { person });
});

it.each<CoinFeeTerms['leave']>(['day_end', 'fill'])(
  'a purchase gives up the coins that the broker keeps, whether they leave at %s or when the day ends',
  async (leave) => {
    standIn.books.coinFeeTerms.leave = leave;
    await buys();
    const [buy] = await fills();
    // 25 basis points of 0.1999 BTC, rounded up.
    expect(buy).toMatchObject({ side: 'buy', isEstimate: true });
    const fee = Math.ceil(buy.units * 0.0025 * 1e8) / 1e8;
    expect(buy.commission).toBeCloseTo(fee * 40_000, 6);
    expect(Number(await held())).toBeCloseTo(buy.units - fee, 8);
    expect(await breaks()).toEqual([]);
    await world.everythingHolds();
    await hours(30);
    expect((await fills())[0]).toEqual({ ...buy, isEstimate: false });
    expect(toQuantity(Number(await held()))).toBe(Math.floor(coinsHeld(account, BTC) / 10));
    expect(await breaks()).toEqual([]);
    await world.everythingHolds();
    market.setPrice('BTCUSD', 29_000);
    await hours(30);
    await world.restart();
    await hours(54);
    const [, sell] = await fills();
    expect(sell).toMatchObject({ side: 'sell', isEstimate: false });
    expect(await held()).toBe('0');
    expect(coinsHeld(account, BTC)).toBeLessThan(10);
    const [found] = await statements();
    expect(found).toMatchObject({ fees: 0, unexplained: 0 });
    expect(found.commissions).toBeCloseTo(-sell.commission, 6);
    await world.everythingHolds();
  },
);

it('two deployments and the owner bear the fees of a day by what each bought, and coins of a lower tier come back', async () => {
  const other = await world.deploy(version, { person, investment: 35_000 });
  standIn.books.coinFeeTerms.basisPoints = 18;
  market.closeDay('crypto');
  await world.runTicks();
  tradeAsOwner(0.777_777_77);
  market.advance(HOUR_MS);
  await world.runTicks(3);
  const before = [await held(), await held(other)];
  await hours(30);
  const after = [await held(), await held(other)];
  for (const [nth, deployment] of [id, other].entries()) {
    const [buy] = await fills(deployment);
    expect(buy.isEstimate).toBe(false);
    expect(Number(after[nth])).toBeGreaterThan(Number(before[nth]));
    const borne = toQuantity(buy.units) - toQuantity(Number(after[nth]));
    expect(Math.abs(borne - buy.units * 0.0018 * 1e8)).toBeLessThanOrEqual(1);
    expect(buy.commission).toBeCloseTo((borne / 1e8) * buy.price, 5);
  }
  const [owner] = await rows(
    `select sum(case side when 'buy' then quantity else -quantity end)::text as units from suspense_entries
     where account_id = $1`,
    account.number,
  );
  const booked = [...after, owner.units].reduce((sum, units) => sum + toQuantity(Number(units)), 0);
  expect(booked).toBe(Math.floor(coinsHeld(account, BTC) / 10));
  expect(await breaks()).toEqual([]);
  await world.everythingHolds();
});

it('an order that has not filled by the end of its day is cancelled, as the broker would keep it', async () => {
  standIn.books.fillsAtMost = 0.000_1;
  await buys();
  const working = () => standIn.books.orders.filter((order) => order.account === account && isOpen(order));
  expect(working()).toHaveLength(1);
  market.setPrice('BTCUSD', 43_000);
  await hours(12);
  expect(working()).toHaveLength(1);
  await hours(18);
  expect(working()).toHaveLength(0);
  // As after every day: what is left is decided again, at newer prices.
  const [order] = await rows(`select status from orders where deployment_id = $1 order by decided_at`, id);
  expect(order.status).toBe('expired');
  expect(toQuantity(Number(await held()))).toBe(Math.floor(coinsHeld(account, BTC) / 10));
  await world.everythingHolds();
});

it('an order that never arrived ends once the broker says that it does not know it, and is sent anew', async () => {
  standIn.faults.set({
    seed: 1,
    rules: [{ on: 'submit', fault: { kind: 'lost', when: 'before' }, times: 1 }],
  });
  await buys();
  const found = async () =>
    (await rows(`select status from orders where deployment_id = $1 order by decided_at`, id)).map(
      ({ status }) => status,
    );
  expect(await found()).toEqual(['unknown']);
  standIn.faults.set({
    seed: 1,
    rules: [{ on: 'order', fault: { kind: 'status', status: 500, body: '{}' } }],
  });
  await hours(36);
  expect(await found()).toEqual(['unknown']);
  standIn.faults.set({ seed: 1, rules: [] });
  await hours(24);
  expect((await found()).at(0)).toBe('expired');
  await world.everythingHolds();
});

it('a coin says that no stop rests at the broker, and over nights and a weekend nobody is told again', async () => {
  await handle.pool.query('update deployments set stop_loss_percentage = 10 where id = $1', [id]);
  await buys();
  const told = () =>
    rows(
      `select (select count(*)::int from incidents where deployment_id = $1) as incidents,
         (select count(*)::int from notifications where deployment_id = $1) as notices,
         (select count(*)::int from orders where deployment_id = $1) as orders`,
      id,
    );
  const after = await told();
  expect(after).toMatchObject([{ incidents: 0, orders: 1 }]);
  await hours(5 * 24);
  await world.restart();
  await hours(24);
  expect(await told()).toEqual(after);
  const row = (await readDeployments(handle.pool, [id])).get(id)!;
  expect(showDeployment(row, [world.broker])).toMatchObject({
    positions: [{ ticker: 'BTCUSD', protective_stop: null, unprotected: true }],
    status_reason: expect.stringContaining(
      'takes no protective stop for BTCUSD. We watch the stop loss ourselves',
    ),
  });
  market.setPrice('BTCUSD', 35_000);
  await hours(6);
  expect((await fills()).map(({ side }) => side)).toEqual(['buy', 'sell']);
  await world.everythingHolds();
});
