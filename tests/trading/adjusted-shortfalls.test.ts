import { afterAll, describe, expect, test } from 'vitest';
import { nextTradingDay } from '#engine/market/calendar.ts';
import { agreeOn, supportPeople } from '#tests/support/agreed-adjustment.ts';
import { booksStage } from '#tests/support/books-stage.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, SHORT_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import type { ExecutionId, Symbol } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';

// A bust of a purchase of which a part is already sold: the books are corrected as far as units are held.
const stage = await booksStage('SHORT');
const { handle, world, market, venue, rows, runTicks, trading } = stage;
const { units, money, suspense, differences, agree, notices, stop, everythingHolds } = stage;
/** Has bought 40 AAA at 100, and sold a part of them. */
async function sold(how: 'eight left' | 'all' = 'eight left') {
  const { id, account, bought } = await trading();
  if (how === 'eight left') {
    const least = `update deployments set applied_target_id = null, max_allocation_percent = 10 where id = $1`;
    market.setPrice('AAA', 130);
    await runTicks();
    await rows(least, id);
    await runTicks(3);
  } else {
    market.setPrice('AAA', 29);
    market.closeDay();
    await runTicks();
    market.openDay();
    await runTicks();
  }
  expect(await units(id)).toBe(how === 'all' ? 0 : 8);
  return { id, account, bought };
}
const TAKEN_BACK = { quantity: toQuantity(0) };
const unexplained = (account: string) => differences(account, 'unexplained');
const statusOf = async (adjustment: string) => (await stage.stateOf(adjustment)).status;
const listedShort = (account: string) =>
  rows(
    `select units::float8, since from reconciliation_breaks
     where account_id = $1 and kind = 'shortfall' and ended_at is null`,
    account,
  );

test('a bust removes the units still held, leaves the sold ones booked, and puts the account’s short into suspense', async () => {
  const { id, account, bought } = await sold();
  const before = await money(id);
  const taken = venue.revise(bought, TAKEN_BACK);
  await runTicks(4);
  const adjustment = await agree({
    deployment: id,
    execution: taken.executionId,
    undoes: bought.executionId,
    units: 0,
  });
  await runTicks(4);
  expect(await statusOf(adjustment)).toBe('applied');
  expect(await units(id)).toBe(0);
  const short = 32;
  expect(await suspense(account)).toEqual([{ id: adjustment, side: 'sell', units: short, price: 100 }]);
  expect(venue.position(account, 'AAA')).toBe(-short * 1e8);
  expect(await unexplained(account)).toEqual([]);
  // Bought at 100; the commission goes back in proportion to the units.
  const after = await money(id);
  const commission = (Number(bought.commission) / 1e6) * (8 / 40);
  expect(after.cash).toBeCloseTo(before.cash + 800 + commission, 5);
  expect(after.realized).toBeCloseTo(before.realized + commission, 5);
  expect(await notices(id)).toEqual([
    {
      message: expect.stringMatching(
        new RegExp(
          `the purchase of 40 AAA at \\$100 was reversed, except for ${short} that it had already sold: .*suspense account; .* Reason: the broker told us so`,
        ),
      ),
    },
  ]);
  await everythingHolds();
  // No units are left for an exit to wait for.
  await stop(id);
  await runTicks(3);
  expect(await rows(`select status from deployments where id = $1`, id)).toEqual([{ status: 'stopped' }]);
  expect(await rows(`select from orders where deployment_id = $1 and status = 'intended'`, id)).toEqual([]);
  expect(venue.position(account, 'AAA')).toBe(-short * 1e8);
  await everythingHolds();
});

test('the account’s short is listed until its owner has bought all of it back', async () => {
  const { id, account, bought } = await sold();
  const taken = venue.revise(bought, TAKEN_BACK);
  await runTicks();
  await agree({
    deployment: id,
    execution: taken.executionId,
    undoes: bought.executionId,
    units: 0,
  });
  await runTicks(4);
  const [first] = await listedShort(account);
  expect(first).toMatchObject({ units: -32 });
  venue.tradeExternally(account, 'AAA', 'buy', 10);
  await runTicks(3);
  expect(await listedShort(account)).toEqual([{ ...first, units: -22 }]);
  venue.tradeExternally(account, 'AAA', 'buy', 22);
  await runTicks();
  expect(await listedShort(account)).toEqual([]);
  expect(await differences(account, 'external_trade')).toEqual([]);
  await everythingHolds();
});

test('a new purchase can be sold again: the account’s short does not count against it', async () => {
  const { id, account, bought } = await sold('all');
  const taken = venue.revise(bought, TAKEN_BACK);
  await runTicks();
  await agree({
    deployment: id,
    execution: taken.executionId,
    undoes: bought.executionId,
    units: 0,
  });
  await runTicks(4);
  expect(venue.position(account, 'AAA')).toBe(-40e8);
  market.setPrice('AAA', 100);
  market.closeDay();
  await runTicks();
  market.openDay();
  await runTicks();
  const again = await units(id);
  expect(again).toBeGreaterThan(0);
  expect(await unexplained(account)).toEqual([]);
  await stop(id);
  await runTicks(4);
  expect(
    await rows(`select status, reason_code from orders where deployment_id = $1 and status = 'intended'`, id),
  ).toEqual([]);
  expect(venue.position(account, 'AAA')).toBe(-40e8);
  await everythingHolds();
});

test('a revision to a smaller purchase undoes as many units as are held', async () => {
  const { id, account, bought } = await sold();
  const smaller = venue.revise(bought, { quantity: toQuantity(12), price: 101, commission: toMicro(3) });
  await runTicks();
  const adjustment = await agree({
    deployment: id,
    execution: smaller.executionId,
    undoes: bought.executionId,
    units: 12,
    price: 101,
    commission: 3,
  });
  await runTicks(4);
  expect(await statusOf(adjustment)).toBe('applied');
  expect(await units(id)).toBe(0);
  expect(await suspense(account)).toMatchObject([{ side: 'sell', units: 20, price: 100 }]);
  expect(await unexplained(account)).toEqual([]);
  await everythingHolds();
});

test('a bust of a purchase that is fully sold changes no books and goes into suspense in full', async () => {
  const { id, account, bought } = await sold('all');
  const before = await money(id);
  const taken = venue.revise(bought, TAKEN_BACK);
  await runTicks();
  const undone = { deployment: id, execution: taken.executionId, undoes: bought.executionId, units: 0 };
  const adjustment = await agree(undone);
  await runTicks(4);
  expect(await statusOf(adjustment)).toBe('applied');
  expect(await money(id)).toEqual(before);
  expect(await suspense(account)).toMatchObject([{ side: 'sell', units: 40 }]);
  expect(await unexplained(account)).toEqual([]);
  expect(await notices(id)).toHaveLength(1);
  await everythingHolds();
});

test('an execution that vanished from the broker’s list is adjusted as the difference that it leaves', async () => {
  const { id, account, bought } = await sold();
  const gone = venue.executions.findIndex(
    (one) => one.accountId === account && one.execution.executionId === bought.executionId,
  );
  venue.executions.splice(gone, 1);
  await runTicks(3);
  expect(await unexplained(account)).toEqual([{ symbol: 'AAA' }]);
  const undone = { deployment: id, undoes: bought.executionId, units: 0 };
  const adjustment = await agree(undone);
  await runTicks(4);
  expect(await statusOf(adjustment)).toBe('applied');
  expect(await units(id)).toBe(0);
  expect(await suspense(account)).toMatchObject([{ units: 32 }]);
  expect(await unexplained(account)).toEqual([]);
  await everythingHolds();
});

test('a long/short strategy reverses as at its broker, and nothing goes into suspense', async () => {
  const { id, account, bought: shorted } = await trading(await world.addStrategy(SHORT_ABOVE_30));
  expect(await units(id)).toBe(-15);
  const least = `update deployments set applied_target_id = null, max_allocation_percent = 5 where id = $1`;
  await rows(least, id);
  await runTicks(3);
  const left = await units(id);
  expect(left).toBeLessThan(0);
  expect(left).toBeGreaterThan(-15);
  const taken = venue.revise(shorted, TAKEN_BACK);
  await runTicks();
  const undone = { deployment: id, execution: taken.executionId, undoes: shorted.executionId, units: 0 };
  const adjustment = await agree(undone);
  await runTicks(4);
  expect(await statusOf(adjustment)).toBe('applied');
  expect(await units(id)).toBe(15 + left);
  expect(await suspense(account)).toEqual([]);
  expect(await unexplained(account)).toEqual([]);
  await everythingHolds();
});

test('a crash at its last statement leaves nothing behind, and the next look books the suspense once', async () => {
  const { id, account, bought } = await sold();
  const taken = venue.revise(bought, TAKEN_BACK);
  await runTicks();
  const undone = { deployment: id, execution: taken.executionId, undoes: bought.executionId, units: 0 };
  const adjustment = await agree(undone);
  await handle.owner.query(
    `create function die() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`,
  );
  await handle.owner.query(`create trigger die before update on broker_inbox for each row
    when (new.closed_at is not null) execute function die()`);
  await runTicks();
  expect(await statusOf(adjustment)).toBe('approved');
  expect(await units(id)).toBe(8);
  expect(await suspense(account)).toEqual([]);
  await handle.owner.query('drop trigger die on broker_inbox');
  await world.restart();
  await runTicks(4);
  expect(await statusOf(adjustment)).toBe('applied');
  expect(await units(id)).toBe(0);
  expect(await suspense(account)).toMatchObject([{ units: 32 }]);
  expect(await notices(id)).toHaveLength(1);
  await everythingHolds();
});

test('between splits it counts in the shares of its own day', async () => {
  const { id, account, bought } = await sold();
  /** The venue knows nothing of splits. */
  const brokerHolds = (shares: number) =>
    venue.deliver(account, 'AAA', shares - venue.position(account, 'AAA') / 1e8);
  const split = async (price: number, shares: number) => {
    market.closeDay();
    const exDate = nextTradingDay('us-equity', utcDate(market.now()));
    market.actions.push({ symbol: 'AAA' as Symbol, kind: 'split', exDate, amount: 2 });
    market.setPrice('AAA', price);
    brokerHolds(shares);
    await runTicks();
  };
  await split(65, 16);
  expect(await units(id)).toBe(16);
  const taken = venue.revise(bought, TAKEN_BACK);
  brokerHolds(-64);
  await runTicks();
  const undone = { deployment: id, execution: taken.executionId, undoes: bought.executionId, units: 0 };
  const adjustment = await agree(undone);
  await runTicks(4);
  expect(await statusOf(adjustment)).toBe('applied');
  expect(await units(id)).toBe(0);
  expect(await suspense(account)).toMatchObject([{ units: 64, price: 50 }]);
  expect(await unexplained(account)).toEqual([]);
  // Units in suspense split like all other holdings of the account.
  await split(32, -128);
  await runTicks(4);
  expect(await unexplained(account)).toEqual([]);
  expect((await checkRecords(handle.database)).flatMap(({ violations }) => violations)).toEqual([]);
  market.actions.length = 0;
});

// The performance fee follows the corrected books.
describe('fees after an adjustment', async () => {
  const handle = await testDatabase();
  const world = await tradingWorld(handle);
  const { market, venue, runTicks } = world;
  afterAll(() => world.trader.close());
  const people = await supportPeople(handle);
  const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;

  test('no fee is due on a sale that the broker busted before the bill', async () => {
    const version = await world.addStrategy(BOTH_ABOVE_30);
    const [kept, undone] = [
      await world.deploy(version, { account: 'DU1' }),
      await world.deploy(version, { account: 'DU2' }),
    ];
    await rows(`update users set fee_period = 'weekly'`);
    market.closeDay();
    await runTicks();
    market.openDay();
    await runTicks();
    market.setPrice('AAA', 29);
    market.closeDay();
    await runTicks();
    market.setPrice('AAA', 130);
    market.openDay();
    await runTicks();
    const at = venue.executions.findIndex(
      ({ accountId, execution }) =>
        accountId === 'DU2' && execution.symbol === 'AAA' && execution.side === 'sell',
    );
    const { execution: sold } = venue.executions[at]!;
    const executionId = `${sold.executionId}.02` as ExecutionId;
    const taken = { ...sold, executionId, revisionStem: sold.executionId, quantity: toQuantity(0) };
    venue.executions[at] = { ...venue.executions[at]!, execution: taken };
    await runTicks();
    await agreeOn(handle, people, {
      deployment: undone,
      execution: executionId,
      undoes: sold.executionId,
      units: 0,
    });
    await runTicks();
    // Beyond the end of the week.
    for (let day = 0; day < 5; day++) {
      market.closeDay();
      await runTicks();
    }
    const bills = await rows(
      `select deployment_id as id, fee_micro::float8 / 1e6 as fee, profit_micro::float8 / 1e6 as profit from fee_bills
     where number = 1`,
    );
    const billOf = (id: string) => bills.find((bill) => bill.id === id);
    expect(billOf(kept)!.profit).toBeGreaterThan(1_000);
    expect(billOf(undone)).toMatchObject({ fee: 0, profit: 0 });
    const [{ corrected }] = await rows(
      `select high_water_mark_micro = investment_micro as corrected from deployments where id = $1`,
      undone,
    );
    expect(corrected).toBe(true);
    await world.everythingHolds();
  });
});
