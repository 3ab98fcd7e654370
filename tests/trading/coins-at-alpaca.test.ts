// Coins at a broker that keeps coins as its fee: our units, cash and commissions are the broker's, to the last digit.
import { afterAll, beforeEach, expect, it } from 'vitest';
import { alpacaWorld } from '#tests/support/alpaca-world.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30 } from '#tests/support/trading-world.ts';
import type { TradingPerson } from '#tests/support/trading-rows.ts';
import { coinsHeld, type FeesLeave } from '#sandbox/alpaca/orders/coin-fees.ts';
import type { Account } from '#sandbox/alpaca/orders/order.ts';
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

async function buys(): Promise<void> {
  market.setPrice('BTCUSD', 40_000);
  market.closeDay('crypto');
  await world.runTicks();
  market.advance(HOUR_MS);
  await world.runTicks(3);
}

beforeEach(async () => {
  ({ person, account } = await world.join());
  market.setPrice('BTCUSD', 40_000);
  id = await world.deploy(version, { person });
});

it.each<FeesLeave>(['day_end', 'fill'])(
  'a purchase gives up the coins that the broker keeps, whether they leave at %s or when the day ends',
  async (leave) => {
    standIn.books.coinFeesLeave = leave;
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
