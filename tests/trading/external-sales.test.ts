// Units of a deployment that the account's owner sold externally: listed, and removed from its books when two people agree.
import { expect, test } from 'vitest';
import { nextTradingDay } from '#engine/market/calendar.ts';
import { parseReason } from '#records/execution/orders.ts';
import { orderReason } from '../../src/rules/reasons/order-reason.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';
import { agreeOn, type AgreedAdjustment } from '../support/agreed-adjustment.ts';
import { booksStage } from '../support/books-stage.ts';
import { SHORT_ABOVE_30 } from '../support/trading-world.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import { shownMessages } from '../support/shown-notices.ts';

const stage = await booksStage('HAND');
const { handle, world, long, market, venue, people, rows, runTicks, trading } = stage;
const { units, money, stateOf, stop, everythingHolds } = stage;
const short = await world.addStrategy(SHORT_ABOVE_30);
const agree = (wanted: AgreedAdjustment) => stage.agree({ kind: 'external_trade', ...wanted });
const suspense = (account: string) => stage.suspense(account, 'released');
const statusOf = async (id: DeploymentId) =>
  (await rows('select status from deployments where id = $1', id))[0].status;
const open = (account: string) =>
  rows(
    `select kind, external::float8, units::float8, price::float8 from reconciliation_breaks
     where account_id = $1 and ended_at is null order by kind`,
    account,
  );
const waitingExit = async (id: DeploymentId) => {
  const query = `select reason_code, reason_params from orders where deployment_id = $1 and status = 'intended'`;
  const [row] = await rows(query, id);
  const reason = row && parseReason(row);
  return reason ? orderReason(reason) : undefined;
};

test('a stopping deployment gives up the units its owner sold, books the cash, and ends', async () => {
  const { id, account } = await trading();
  market.setPrice('AAA', 110);
  venue.tradeExternally(account, 'AAA', 'sell', 3);
  market.setPrice('AAA', 120);
  venue.tradeExternally(account, 'AAA', 'sell', 2);
  await stop(id);
  await runTicks();
  // At the owner's sale price, not at the price of the exit.
  const listed = { kind: 'external_trade', external: -5, units: -5, price: 114 };
  await runTicks(3);
  expect(await open(account)).toEqual([listed]);
  expect(await units(id)).toBe(5);
  expect(await statusOf(id)).toBe('stopping');
  expect(await waitingExit(id)).toMatch(
    /^On hold: the broker does not show the units that it would close\. You sold 5 AAA manually, most recently on \d+ [A-Z][a-z]+ \d{4}\. Buy them back at your broker and this order continues, or our support books that sale here\.$/,
  );
  const before = (await money(id)).cash;
  const adjustment = await agree({ deployment: id, units: -5, price: 114 });
  await runTicks();
  expect(await stateOf(adjustment)).toMatchObject({ status: 'applied' });
  expect(await suspense(account)).toEqual([{ id: adjustment, side: 'buy', units: 5, price: 114 }]);
  expect((await money(id)).cash).toBeCloseTo(before + 570, 6);
  await runTicks();
  expect(await units(id)).toBe(0);
  expect(await statusOf(id)).toBe('stopped');
  expect(await open(account)).toEqual([]);
  expect(venue.position(account, 'AAA')).toBe(0);
  expect(await shownMessages(handle, `deployment_id = $1 and cause like 'adjustment:%'`, id)).toEqual([
    {
      message: expect.stringMatching(
        /5 AAA that you sold manually at \$114 each are now booked as its own trade; \$570 was added to its cash/,
      ),
    },
  ]);
  await everythingHolds();
});

test('it is listed after two looks, and no longer once its owner has bought back', async () => {
  const { account } = await trading();
  venue.tradeExternally(account, 'AAA', 'sell', 5);
  await runTicks(1);
  expect(await open(account)).toEqual([]);
  await runTicks();
  expect(await open(account)).toMatchObject([{ kind: 'external_trade', units: -5 }]);
  venue.tradeExternally(account, 'AAA', 'buy', 2);
  await runTicks(3);
  expect(await open(account)).toMatchObject([{ kind: 'external_trade', units: -3, external: -3 }]);
  venue.tradeExternally(account, 'AAA', 'buy', 3);
  await runTicks(1);
  expect(await open(account)).toEqual([]);
  await everythingHolds();
});

test('external holdings of the owner cover an external sale', async () => {
  const { account } = await trading();
  venue.tradeExternally(account, 'AAA', 'buy', 7);
  await runTicks(3);
  venue.tradeExternally(account, 'AAA', 'sell', 7);
  await runTicks(3);
  expect(await open(account)).toEqual([]);
});

test('an agreement is void once its owner has bought any of it back, even if that is reported late', async () => {
  const { id, account } = await trading();
  venue.tradeExternally(account, 'AAA', 'sell', 5);
  await runTicks(3);
  // For fewer units than are still missing: the agreement was still for another difference.
  const first = await agree({ deployment: id, units: -3, price: 100 });
  venue.tradeExternally(account, 'AAA', 'buy', 1);
  await runTicks(4);
  expect(await stateOf(first)).toEqual({
    status: 'void',
    outcome: 'what it answers has changed since',
  });
  // The position is reported before the execution: the agreement waits, and is not booked.
  const second = await agree({ deployment: id, units: -4, price: 100 });
  venue.deliver(account, 'AAA', 4);
  await runTicks(1);
  expect(await stateOf(second)).toMatchObject({ status: 'approved' });
  venue.deliver(account, 'AAA', -4);
  venue.tradeExternally(account, 'AAA', 'buy', 4);
  await runTicks();
  expect(await stateOf(second)).toMatchObject({ status: 'void' });
  expect(await units(id)).toBe(40);
  expect(await suspense(account)).toEqual([]);
  await everythingHolds();
});

test('a report to another trader right before the booking is checked again, and voids the agreement', async () => {
  const { id, account } = await trading();
  venue.tradeExternally(account, 'AAA', 'sell', 5);
  await runTicks(3);
  const adjustment = await agree({ deployment: id, units: -3, price: 100 });
  // Another person trades the account through their own connection, and the broker reports to that trader first.
  let asked = 0;
  venue.onCall = async (call, of) => {
    if (call !== 'positions' || of !== account || (asked += 1) !== 2) return;
    await rows(
      `insert into suspense_entries (kind, execution_id, account_id, symbol, side, quantity, price, executed_at)
       values ('external_trade', 'THEIRS', $1, 'AAA', 'buy', 1, 100, (select max(executed_at) from suspense_entries))`,
      account,
    );
    venue.deliver(account, 'AAA', 1);
  };
  await runTicks(1);
  venue.onCall = null;
  expect(await stateOf(adjustment)).toMatchObject({ status: 'approved' });
  await runTicks(1);
  expect(await stateOf(adjustment)).toMatchObject({ status: 'void' });
  expect(await units(id)).toBe(40);
});

test('units bought back and sold again at another price are another sale', async () => {
  const { id, account } = await trading();
  venue.tradeExternally(account, 'AAA', 'sell', 5);
  await runTicks(3);
  const adjustment = await agree({ deployment: id, units: -5, price: 100 });
  market.setPrice('AAA', 90);
  market.advance(60_000);
  venue.tradeExternally(account, 'AAA', 'buy', 5);
  venue.tradeExternally(account, 'AAA', 'sell', 5);
  await runTicks();
  expect(await stateOf(adjustment)).toMatchObject({ status: 'void' });
  expect(await units(id)).toBe(40);
  expect(await open(account)).toMatchObject([{ external: -5, price: 90 }]);
  await everythingHolds();
});

test('of two deployments only one gives up units, and no more than it holds', async () => {
  const { id: first, account } = await trading();
  const [person] = await rows(
    `select user_id as user, broker_connection_id as connection from deployments where id = $1`,
    first,
  );
  market.closeDay();
  const second = await world.deploy(long, { person: { ...person, account } });
  await runTicks();
  market.openDay();
  await runTicks();
  expect([await units(first), await units(second)]).toEqual([40, 40]);
  venue.tradeExternally(account, 'AAA', 'sell', 50);
  await runTicks(3);
  expect(await open(account)).toMatchObject([{ kind: 'external_trade', units: -50 }]);
  const tooMuch = await agree({ deployment: first, units: -50, price: 100 });
  await runTicks();
  expect(await stateOf(tooMuch)).toMatchObject({ status: 'void' });
  const part = await agree({ deployment: first, units: -40, price: 100 });
  await runTicks(4);
  expect(await stateOf(part)).toMatchObject({ status: 'applied' });
  expect([await units(first), await units(second)]).toEqual([0, 40]);
  expect(await open(account)).toMatchObject([{ kind: 'external_trade', external: -10, units: -10 }]);
  const rest = await agree({ deployment: second, units: -10, price: 100 });
  await runTicks(4);
  expect(await stateOf(rest)).toMatchObject({ status: 'applied' });
  expect([await units(first), await units(second)]).toEqual([0, 30]);
  expect(await open(account)).toEqual([]);
  await everythingHolds();
});

test('a short that was covered by hand is given up as a purchase', async () => {
  const { id, account } = await trading(short);
  expect(await units(id)).toBe(-15);
  market.setPrice('AAA', 90);
  venue.tradeExternally(account, 'AAA', 'buy', 6);
  await runTicks(3);
  expect(await open(account)).toEqual([{ kind: 'external_trade', external: 6, units: 6, price: 90 }]);
  const tooMuch = await agree({ deployment: id, units: 16, price: 90 });
  await runTicks();
  expect(await stateOf(tooMuch)).toMatchObject({ status: 'void' });
  const adjustment = await agree({ deployment: id, units: 6, price: 90 });
  await runTicks(3);
  expect(await stateOf(adjustment)).toMatchObject({ status: 'applied' });
  expect(await units(id)).toBe(-9);
  expect(await suspense(account)).toMatchObject([{ side: 'sell', units: 6, price: 90 }]);
  expect(await open(account)).toEqual([]);
  await stop(id);
  await runTicks(4);
  expect(await statusOf(id)).toBe('stopped');
  await everythingHolds();
});

test('a long/short deployment gives up no more than it holds, and does not reverse', async () => {
  const { id: first, account } = await trading(short);
  const [person] = await rows(
    `select user_id as user, broker_connection_id as connection from deployments where id = $1`,
    first,
  );
  market.closeDay();
  const second = await world.deploy(short, { person: { ...person, account } });
  await runTicks();
  market.openDay();
  await runTicks();
  const [one, other] = [await units(first), await units(second)];
  expect(other).toBeLessThan(0);
  venue.tradeExternally(account, 'AAA', 'buy', 20);
  await runTicks(3);
  expect(await open(account)).toMatchObject([{ kind: 'external_trade', units: 20 }]);
  const tooMuch = await agree({ deployment: first, units: 20, price: 100 });
  await runTicks();
  expect(await stateOf(tooMuch)).toEqual({
    status: 'void',
    outcome: 'its deployment holds no 20 AAA to give up',
  });
  expect([await units(first), await units(second)]).toEqual([one, other]);
  await everythingHolds();
});

test('while books and broker also differ without a trade to explain it, nothing is given up', async () => {
  const { id, account } = await trading();
  venue.tradeExternally(account, 'AAA', 'sell', 5);
  await runTicks(3);
  venue.deliver(account, 'AAA', -2);
  await runTicks(3);
  expect(await open(account)).toMatchObject([{ kind: 'external_trade', units: -5 }, { kind: 'unexplained' }]);
  const adjustment = await agree({ deployment: id, units: -5, price: 100 });
  await runTicks(3);
  expect(await stateOf(adjustment)).toMatchObject({ status: 'approved' });
  expect(await units(id)).toBe(40);
  venue.deliver(account, 'AAA', 2);
  await runTicks(3);
  expect(await stateOf(adjustment)).toMatchObject({ status: 'applied' });
  expect(await units(id)).toBe(35);
  await everythingHolds();
});

test('a crash at its last statement leaves nothing behind, and the next look books it once', async () => {
  const { id, account } = await trading();
  venue.tradeExternally(account, 'AAA', 'sell', 5);
  await runTicks(3);
  const adjustment = await agree({ deployment: id, units: -5, price: 100 });
  await handle.owner.query(
    `create function die() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`,
  );
  await handle.owner.query(`create trigger die before update on adjustments for each row
    when (new.status = 'applied') execute function die()`);
  await runTicks();
  expect([await units(id), await suspense(account)]).toEqual([40, []]);
  await handle.owner.query('drop trigger die on adjustments');
  await world.restart();
  await runTicks(3);
  expect(await stateOf(adjustment)).toMatchObject({ status: 'applied' });
  expect(await units(id)).toBe(35);
  expect(await suspense(account)).toMatchObject([{ units: 5 }]);
  await everythingHolds();
});

test('a split scales its units and price, and voids an agreement from before the split', async () => {
  const { id, account } = await trading();
  venue.tradeExternally(account, 'AAA', 'sell', 5);
  await runTicks(3);
  const before = await agreeOn(handle, [people[0], null], {
    kind: 'external_trade',
    deployment: id,
    units: -5,
    price: 100,
  });
  market.closeDay();
  const exDate = nextTradingDay('us-equity', utcDate(market.now()));
  market.actions.push({ symbol: 'AAA' as Symbol, kind: 'split', exDate, amount: 2 });
  market.setPrice('AAA', 50);
  // The venue knows nothing of splits.
  venue.deliver(account, 'AAA', 35);
  await runTicks(4);
  expect(await open(account)).toEqual([{ kind: 'external_trade', external: -10, units: -10, price: 50 }]);
  const after = await rows('select seen from adjustments where id = $1', before);
  expect(after).toHaveLength(1);
  await rows(
    `update adjustments set status = 'approved', decided_by = $2, decided_at = now() where id = $1`,
    before,
    people[1],
  );
  await runTicks();
  expect(await stateOf(before)).toMatchObject({ status: 'void' });
  const adjustment = await agree({ deployment: id, units: -10, price: 50 });
  await runTicks(3);
  expect(await stateOf(adjustment)).toMatchObject({ status: 'applied' });
  expect(await units(id)).toBe(70);
  expect(await open(account)).toEqual([]);
  expect((await checkRecords(handle.database)).flatMap(({ violations }) => violations)).toEqual([]);
  market.actions.length = 0;
});
