import { afterAll, describe, expect, test } from 'vitest';
import { nextTradingDay } from '#engine/market/calendar.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import { agreeOn, supportPeople } from '#tests/support/agreed-adjustment.ts';
import { booksStage } from '#tests/support/books-stage.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { checkInvariants, checkRecords } from '#trader/invariants/check-invariants.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';

// Manual adjustments of the books, from the agreement of two people to the books of the deployment.
const stage = await booksStage('CORR');
const { handle, world, market, venue, rows, runTicks, trading } = stage;
const { money, differences, agree, stateOf, notices, stop, everythingHolds } = stage;
const position = async (id: DeploymentId) =>
  (
    await rows(
      `select quantity::float8 as units, cost_micro::float8 / 1e6 as cost from positions
       where deployment_id = $1 and symbol = 'AAA'`,
      id,
    )
  )[0];

test('shares that the broker does not hold leave the books, and the exit that waits for them ends', async () => {
  const { id, account } = await trading();
  venue.deliver(account, 'AAA', -15);
  await stop(id);
  await runTicks(3);
  expect(await differences(account)).toEqual([{ symbol: 'AAA' }]);
  // The shares in the account are closed; the missing ones wait.
  market.openDay();
  await runTicks();
  expect(await position(id)).toMatchObject({ units: 15 });
  const before = await money(id);
  const adjustment = await agree({ deployment: id, units: -15, price: 100 });
  await runTicks();
  expect(await stateOf(adjustment)).toMatchObject({ status: 'applied' });
  expect(await differences(account)).toEqual([]);
  expect(await notices(id)).toEqual([
    {
      message: expect.stringMatching(
        /15 AAA removed at \$100 each; \$1,500 was added to its cash. Reason: the broker told us so/,
      ),
    },
  ]);
  await runTicks();
  expect(venue.position(account, 'AAA')).toBe(0);
  expect(await position(id)).toBeUndefined();
  expect((await money(id)).equity).toBeLessThanOrEqual(before.equity);
  expect(await rows('select status from deployments where id = $1', id)).toEqual([{ status: 'stopped' }]);
  await everythingHolds();
});

test('an execution that the broker reverses is undone, at its cost and with its commission', async () => {
  const { id, bought } = await trading();
  const start = await money(id);
  const taken = venue.revise(bought, { quantity: toQuantity(0) });
  await runTicks();
  expect(
    await rows('select hold_code, hold_params from broker_inbox where execution_id = $1', taken.executionId),
  ).toEqual([{ hold_code: 'revises_booked', hold_params: { booked: bought.executionId, takesBack: true } }]);
  const reported = { deployment: id, execution: taken.executionId, undoes: bought.executionId, units: 0 };
  const adjustment = await agree(reported);
  await runTicks();
  expect(await stateOf(adjustment)).toMatchObject({ status: 'applied' });
  expect(await position(id)).toBeUndefined();
  const after = await money(id);
  expect(after.cash).toBeCloseTo(start.cash + 4_000 + Number(bought.commission) / 1e6, 6);
  expect(after.realized).toBeCloseTo(start.realized + Number(bought.commission) / 1e6, 6);
  expect(await rows(`select from round_trips where deployment_id = $1 and symbol = 'AAA'`, id)).toEqual([]);
  await everythingHolds();
});

test('an execution that is reversed after an ex-date gives its dividend back, and another quantity is paid for what is more', async () => {
  const { id, bought } = await trading();
  const start = await money(id);
  const exDate = nextTradingDay('us-equity', utcDate(market.now()));
  market.actions.push({ symbol: 'AAA' as Symbol, kind: 'dividend', exDate, amount: 0.5 });
  market.setPrice('AAA', 99.5);
  market.closeDay();
  await runTicks();
  expect((await money(id)).cash).toBeCloseTo(start.cash + 20, 6);
  const larger = venue.revise(bought, { quantity: toQuantity(46), price: 100 });
  await runTicks();
  await agree({
    deployment: id,
    execution: larger.executionId,
    undoes: bought.executionId,
    units: 46,
    price: 100,
    commission: Number(bought.commission) / 1e6,
  });
  await runTicks();
  expect((await money(id)).cash).toBeCloseTo(start.cash + 23 - 600, 6);
  const taken = venue.revise(larger, { quantity: toQuantity(0) });
  await runTicks();
  await agree({ deployment: id, execution: taken.executionId, undoes: larger.executionId, units: 0 });
  await runTicks();
  expect((await money(id)).cash).toBeCloseTo(start.cash + 4_000 + Number(bought.commission) / 1e6, 6);
  expect(await position(id)).toBeUndefined();
  await everythingHolds();
});

test('an execution at another price replaces the first, and a further one replaces that', async () => {
  const { id, bought } = await trading();
  const second = venue.revise(bought, { price: 101, commission: toMicro(3) });
  await runTicks();
  const replace = (old: BrokerExecution, now: BrokerExecution) =>
    agree({
      deployment: id,
      execution: now.executionId,
      undoes: old.executionId,
      units: 40,
      price: now.price,
      commission: Number(now.commission) / 1e6,
    });
  await replace(bought, second);
  await runTicks();
  expect(await position(id)).toEqual({ units: 40, cost: 4_040 });
  const third = venue.revise(second, { price: 99, quantity: toQuantity(40) });
  await runTicks();
  expect(
    await rows('select hold_code, hold_params from broker_inbox where execution_id = $1', third.executionId),
  ).toEqual([{ hold_code: 'revises_booked', hold_params: { booked: second.executionId, takesBack: false } }]);
  await replace(second, third);
  await runTicks();
  expect(await position(id)).toEqual({ units: 40, cost: 3_960 });
  expect(await notices(id)).toHaveLength(2);
  await everythingHolds();
});

test("a suspense entry moves no deployment's books, and the account agrees with the books again", async () => {
  const { id, account, bought } = await trading();
  const before = [await position(id), await money(id)];
  venue.deliver(account, 'AAA', 7);
  await runTicks(3);
  await agree({ deployment: id, units: 7, inSuspense: true });
  await runTicks();
  expect(await differences(account)).toEqual([]);
  const larger = venue.revise(bought, { quantity: toQuantity(42) });
  await runTicks();
  await agree({ deployment: id, execution: larger.executionId, units: 2, price: 100, inSuspense: true });
  await runTicks();
  expect([await position(id), await money(id)]).toEqual(before);
  expect(
    await rows(
      `select kind || ' ' || side || ' ' || quantity as entry from suspense_entries where account_id = $1 order by 1`,
      account,
    ),
  ).toEqual(['difference buy 7', 'external_trade buy 42', 'reversed sell 40'].map((entry) => ({ entry })));
  expect(await differences(account)).toEqual([]);
  await everythingHolds();
});

test('a difference that has changed by the next look is not corrected: the agreement is void', async () => {
  const { id, account } = await trading();
  venue.deliver(account, 'AAA', -15);
  await runTicks(3);
  const adjustment = await agree({ deployment: id, units: -15, price: 100 });
  // Half of it comes back before the trader looks, and is seen only once.
  venue.deliver(account, 'AAA', 8);
  await runTicks(1);
  expect(await position(id)).toMatchObject({ units: 40 });
  await runTicks();
  expect(await stateOf(adjustment)).toEqual({ status: 'void', outcome: 'what it answers has changed since' });
  expect(await position(id)).toMatchObject({ units: 40 });
  expect(await notices(id)).toEqual([]);
  await agree({ deployment: id, units: -7, price: 100 });
  await runTicks();
  expect(await position(id)).toMatchObject({ units: 33 });
  await everythingHolds();
});

test('an adjustment waits while an order of the instrument is at the broker and can still fill', async () => {
  const { id, bought } = await trading();
  const dearer = venue.revise(bought, { price: 101 });
  venue.matches = false;
  market.setPrice('AAA', 25);
  market.closeDay();
  await runTicks();
  expect(
    await rows(`select status from orders where deployment_id = $1 and symbol = 'AAA' and side = 'sell'`, id),
  ).toEqual([{ status: 'working' }]);
  const replaced = { deployment: id, execution: dearer.executionId, undoes: bought.executionId };
  const adjustment = await agree({
    ...replaced,
    units: 40,
    price: 101,
    commission: Number(bought.commission) / 1e6,
  });
  await runTicks();
  expect(await stateOf(adjustment)).toMatchObject({ status: 'approved' });
  venue.matches = true;
  market.openDay();
  await runTicks();
  expect(await stateOf(adjustment)).toMatchObject({ status: 'applied' });
  expect(await position(id)).toBeUndefined();
  // Bought at 101 and sold at 25, in either order of the reports.
  const [{ commission }] = await rows(
    `select sum(commission_micro)::float8 / 1e6 as commission from fills where deployment_id = $1 and symbol = 'AAA'`,
    id,
  );
  const [{ realized }] = await rows(
    `select -sum(e.amount_micro)::float8 / 1e6 as realized from ledger_entries e
     join ledger_transactions t on t.id = e.transaction_id
     where t.deployment_id = $1 and e.ledger_account in ('realized', 'commission')
       and (t.kind = 'adjustment' or t.cause in (select 'fill:' || account_id || ':' || execution_id from fills where symbol = 'AAA'))`,
    id,
  );
  expect(realized).toBeCloseTo((25 - 101) * 40 - commission, 5);
  await everythingHolds();
});

test('a crash at its last statement leaves nothing behind, and the next look books it once', async () => {
  const { id, bought } = await trading();
  const taken = venue.revise(bought, { quantity: toQuantity(0) });
  await runTicks();
  const undone = { deployment: id, execution: taken.executionId, undoes: bought.executionId, units: 0 };
  const adjustment = await agree(undone);
  await handle.owner.query(
    `create function die() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`,
  );
  await handle.owner.query(`create trigger die before update on broker_inbox for each row
    when (new.closed_at is not null) execute function die()`);
  await runTicks();
  expect(await stateOf(adjustment)).toMatchObject({ status: 'approved' });
  expect(await position(id)).toMatchObject({ units: 40 });
  expect(
    await rows(`select from position_events where kind = 'adjustment' and deployment_id = $1`, id),
  ).toEqual([]);
  expect(await notices(id)).toEqual([]);
  await handle.owner.query('drop trigger die on broker_inbox');
  await world.restart();
  await runTicks(3);
  expect(await position(id)).toBeUndefined();
  expect(
    await rows(`select from position_events where kind = 'adjustment' and deployment_id = $1`, id),
  ).toHaveLength(1);
  expect(await notices(id)).toHaveLength(1);
  await everythingHolds();
});

test('an adjustment that would make a long-only strategy short is void', async () => {
  const { id, account } = await trading();
  venue.deliver(account, 'AAA', -60);
  await runTicks(3);
  const adjustment = await agree({ deployment: id, units: -60, price: 100 });
  await runTicks();
  expect(await stateOf(adjustment)).toEqual({
    status: 'void',
    outcome: 'it would leave a deployment short that only buys',
  });
  expect(await position(id)).toMatchObject({ units: 40 });
  venue.deliver(account, 'AAA', 60);
  await runTicks(3);
  await everythingHolds();
});

test('an execution from before a split is answered in its reported units, and counts in post-split shares', async () => {
  const { id, bought } = await trading();
  market.closeDay();
  const exDate = nextTradingDay('us-equity', utcDate(market.now()));
  market.actions.push({ symbol: 'AAA' as Symbol, kind: 'split', exDate, amount: 2 });
  market.setPrice('AAA', 50);
  await runTicks();
  expect(await position(id)).toEqual({ units: 80, cost: 4_000 });
  const smaller = venue.revise(bought, { quantity: toQuantity(30) });
  await runTicks();
  const replaced = { deployment: id, execution: smaller.executionId, undoes: bought.executionId };
  await agree({ ...replaced, units: 30, price: 100, commission: Number(bought.commission) / 1e6 });
  await runTicks();
  expect(await position(id)).toEqual({ units: 60, cost: 3_000 });
  expect(await rows('select status from adjustments where deployment_id = $1', id)).toEqual([
    { status: 'applied' },
  ]);
  expect((await checkRecords(handle.database)).flatMap(({ violations }) => violations)).toEqual([]);
  market.actions.length = 0;
});

// The protective stop and the pending exits of a position, when the position is corrected.
describe('protective stops after an adjustment', async () => {
  const handle = await testDatabase();
  const world = await tradingWorld(handle, undefined, ['equity']);
  const { market, venue, runTicks } = world;
  afterAll(() => world.trader.close());
  const people = await supportPeople(handle);
  const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
  const workingStops = () =>
    venue.orders
      .filter(
        ({ symbol, stopPrice, status }) => symbol === 'AAA' && stopPrice !== null && status === 'working',
      )
      .map(({ quantity }) => quantity / 1e8);

  test('the stop has the corrected size, a stop loss sells no more than that, and the invariants hold', async () => {
    market.closeDay();
    const id = await world.deploy(await world.addStrategy(BOTH_ABOVE_30), { account: 'DU1', stopLoss: 10 });
    await runTicks(1);
    market.openDay();
    await runTicks(3);
    expect(workingStops()).toEqual([40]);
    venue.deliver('DU1', 'AAA', -15);
    await runTicks(5);
    expect(workingStops()).toEqual([]);
    await agreeOn(handle, people, { deployment: id, units: -15, price: 100 });
    await runTicks(3);
    expect(workingStops()).toEqual([25]);
    market.setPrice('AAA', 89.5);
    await runTicks(4);
    expect(venue.position('DU1', 'AAA')).toBe(0);
    expect(await rows(`select from positions where deployment_id = $1 and symbol = 'AAA'`, id)).toEqual([]);
    const side = { brokers: [venue.broker], openCredentials: () => ({}), pause: async () => undefined };
    expect((await checkInvariants(handle.database, side)).flatMap(({ violations }) => violations)).toEqual(
      [],
    );
  });

  test('a stop loss closes the available shares, and the exit of the missing ones ends once corrected', async () => {
    market.setPrice('AAA', 100);
    market.closeDay();
    const id = await world.deploy(await world.addStrategy({ ...BOTH_ABOVE_30, name: 'Again' }), {
      account: 'DU2',
      stopLoss: 10,
    });
    await runTicks(1);
    market.openDay();
    await runTicks(3);
    venue.deliver('DU2', 'AAA', -15);
    market.setPrice('AAA', 89.5);
    await runTicks(4);
    const exits = () =>
      rows(
        `select status, quantity::float8 as units from orders where deployment_id = $1 and symbol = 'AAA'
         and purpose = 'stop_loss' order by decided_at, attempt`,
        id,
      );
    market.setPrice('AAA', 89.4);
    await runTicks(2);
    const taken = [
      { status: 'withdrawn', units: 40 },
      { status: 'filled', units: 25 },
    ];
    expect(await exits()).toEqual([...taken, { status: 'intended', units: 15 }]);
    await agreeOn(handle, people, { deployment: id, units: -15, price: 100 });
    await runTicks(4);
    expect(await exits()).toEqual([...taken, { status: 'withdrawn', units: 15 }]);
    expect(venue.position('DU2', 'AAA')).toBe(0);
    const side = { brokers: [venue.broker], openCredentials: () => ({}), pause: async () => undefined };
    expect((await checkInvariants(handle.database, side)).flatMap(({ violations }) => violations)).toEqual(
      [],
    );
  });

  test('a stop covers new purchases while the account is short of what was reversed', async () => {
    market.setPrice('AAA', 100);
    market.closeDay();
    const id = await world.deploy(await world.addStrategy({ ...BOTH_ABOVE_30, name: 'Anew' }), {
      account: 'DU3',
      stopLoss: 10,
    });
    await runTicks(1);
    market.openDay();
    await runTicks(3);
    const { execution: bought } = venue.executions.find(
      ({ accountId, execution }) => accountId === 'DU3' && execution.symbol === 'AAA',
    )!;
    const { executionId: undoes } = bought;
    const allow = (percent: number) =>
      rows(
        `update deployments set applied_target_id = null, max_allocation_percent = $2 where id = $1`,
        id,
        percent,
      );
    await allow(10);
    await runTicks(4);
    expect(venue.position('DU3', 'AAA')).toBe(9e8);
    const { executionId: execution } = venue.revise(bought, { quantity: toQuantity(0) });
    await runTicks(3);
    await agreeOn(handle, people, { deployment: id, execution, undoes, units: 0 });
    await runTicks(4);
    expect(venue.position('DU3', 'AAA')).toBe(-31e8);
    await allow(0);
    market.closeDay();
    await runTicks(1);
    market.openDay();
    await runTicks(4);
    const [{ units }] = await rows(
      `select quantity::float8 as units from positions where deployment_id = $1 and symbol = 'AAA'`,
      id,
    );
    expect(venue.position('DU3', 'AAA')).toBe(units * 1e8 - 31e8);
    expect(workingStops().at(-1)).toBe(units);
    market.setPrice('AAA', 89.5);
    await runTicks(4);
    expect(venue.position('DU3', 'AAA')).toBe(-31e8);
  });
});
