import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { nextTradingDay } from '#engine/market/calendar.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import { booksStage } from '#tests/support/books-stage.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { markSent, NOW, type PlacedOrder, tradingFloor } from '#tests/support/trading-floor.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import type { DeploymentId, ExecutionId, Symbol } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';
import { readAccountBooks } from './account-books.ts';
import { reconcile } from './reconcile-orders.ts';

const handle = await testDatabase();
const floor = await tradingFloor(handle);
const { context, reported } = floor;

const execution = (order: PlacedOrder, change: Partial<BrokerExecution> = {}): BrokerExecution => ({
  executionId: 'X1' as ExecutionId,
  clientOrderId: order.order.clientOrderId,
  brokerOrderId: 'B1',
  symbol: order.order.symbol,
  brokerInstrumentId: 'AAA',
  side: 'buy',
  quantity: toQuantity(10),
  price: 100,
  commission: toMicro(1),
  at: NOW,
  ...change,
});
const bought = async () => {
  const person = await floor.person();
  const id = await floor.deploy(person);
  const [order] = await floor.order(person, [id]);
  await markSent(handle, [order!]);
  return { id, order: order!, active: floor.connect(person) };
};
const held = async (id: string) =>
  (await handle.pool.query(`select quantity::float as units from positions where deployment_id = $1`, [id]))
    .rows;
const external = async (account: string) =>
  (
    await handle.pool.query(
      `select execution_id, quantity::float as units from suspense_entries where account_id = $1`,
      [account],
    )
  ).rows;

beforeEach(() => {
  floor.problems.length = 0;
  reported.orders = [];
});

test('two accounts may report the same execution id and order id: each books its own', async () => {
  const [first, second] = [await bought(), await bought()];
  for (const { order, active } of [first, second]) {
    // The broker returns no client ids, and numbers the orders of each account from one.
    reported.executions = [execution(order, { quantity: toQuantity(4) })];
    await reconcile(context, active);
    reported.executions = [
      ...reported.executions,
      execution(order, { executionId: 'X2' as ExecutionId, clientOrderId: null, quantity: toQuantity(6) }),
    ];
    await reconcile(context, active);
  }
  expect(floor.problems).toEqual([]);
  expect([await held(first.id), await held(second.id)]).toEqual([[{ units: 10 }], [{ units: 10 }]]);
});

test('an execution without an order of ours is external, even when the same instrument was ordered and filled', async () => {
  const { id, order, active } = await bought();
  reported.executions = [execution(order, { quantity: toQuantity(4) })];
  await reconcile(context, active);
  const externalPosition = execution(order, {
    executionId: 'H1' as ExecutionId,
    clientOrderId: null,
    brokerOrderId: 'by hand',
    quantity: toQuantity(3),
  });
  reported.executions = [...reported.executions, externalPosition];
  await reconcile(context, active);
  expect(await held(id)).toEqual([{ units: 4 }]);
  expect(await external(active.connection.accountId)).toEqual([{ execution_id: 'H1', units: 3 }]);
});

test('an execution without a client id waits while it may belong to an order whose answer was lost', async () => {
  const { id, order, active } = await bought();
  const unnamed = execution(order, { clientOrderId: null });
  reported.executions = [unnamed];
  await reconcile(context, active);
  expect(floor.problems).toEqual(['held: it may belong to an order whose fate is not known yet']);
  expect([await held(id), await external(active.connection.accountId)]).toEqual([[], []]);
  // The list names the order: then it is booked, and the broker need not report it again.
  reported.executions = [];
  const { clientOrderId, symbol, side, quantity, limitPrice } = order.order;
  const same = { brokerOrderId: 'B1', clientOrderId, symbol, brokerInstrumentId: symbol, side, quantity };
  reported.orders = [{ ...same, filled: quantity, limitPrice, status: 'filled', note: '' }];
  await reconcile(context, active);
  expect(await held(id)).toEqual([{ units: 10 }]);
});

test('an execution that was held and is then external keeps its commission, though it has left the list', async () => {
  const { order, active } = await bought();
  reported.executions = [execution(order, { clientOrderId: null, brokerOrderId: 'by hand' })];
  await reconcile(context, active);
  reported.executions = [];
  await handle.pool.query(`update orders set status = 'cancelled', ended_at = sent_at where id = $1`, [
    order.id,
  ]);
  await reconcile(context, active);
  const { rows } = await handle.pool.query(
    `select execution_id, commission_micro::float8 as commission from suspense_entries where account_id = $1`,
    [active.connection.accountId],
  );
  expect(rows).toEqual([{ execution_id: 'X1', commission: 1_000_000 }]);
});

test('an overfill, the wrong side or another instrument is held for a person and moves nothing', async () => {
  const odd: [Partial<BrokerExecution>, RegExp][] = [
    [{ quantity: toQuantity(11) }, /fill more than was ordered/],
    [{ side: 'sell' }, /it is a sell of AAA, the order a buy of AAA/],
    [{ symbol: null, brokerInstrumentId: 'ZZZ' }, /it is a buy of ZZZ/],
  ];
  for (const [change, says] of odd) {
    const { id, order, active } = await bought();
    floor.problems.length = 0;
    reported.executions = [execution(order, change)];
    await reconcile(context, active);
    expect(floor.problems[0]).toMatch(says);
    expect([await held(id), await external(active.connection.accountId)]).toEqual([[], []]);
  }
});

test('a held execution is judged by its newest report: the first may come from a spoilt answer', async () => {
  const { id, order, active } = await bought();
  reported.executions = [execution(order, { price: -100 })];
  await reconcile(context, active);
  expect(floor.problems[0]).toMatch(/^held: /);
  expect(await held(id)).toEqual([]);
  reported.executions = [execution(order)];
  await reconcile(context, active);
  expect(await held(id)).toEqual([{ units: 10 }]);
  // What is booked stays as it was booked.
  reported.executions = [execution(order, { price: -100 })];
  await reconcile(context, active);
  expect(await held(id)).toEqual([{ units: 10 }]);
});

test('two people who trade one account each book their own fills, in any order of the reports', async () => {
  const owner = await bought();
  const other = await floor.person(owner.active.connection.accountId);
  const otherDesk = floor.connect(other);
  const named = execution(owner.order, { quantity: toQuantity(4) });
  const unnamed = execution(owner.order, {
    executionId: 'X2' as ExecutionId,
    clientOrderId: null,
    quantity: toQuantity(6),
  });
  reported.executions = [named, unnamed];
  await reconcile(context, otherDesk);
  await reconcile(context, owner.active);
  await reconcile(context, otherDesk);
  expect(await held(owner.id)).toEqual([{ units: 10 }]);
  expect(await external(owner.active.connection.accountId)).toEqual([]);
  // The one that neither ordered is external, and stored once.
  reported.executions = [
    named,
    unnamed,
    { ...unnamed, executionId: 'H1' as ExecutionId, brokerOrderId: 'hand' },
  ];
  await reconcile(context, otherDesk);
  await reconcile(context, owner.active);
  expect(await external(owner.active.connection.accountId)).toEqual([{ execution_id: 'H1', units: 6 }]);
  expect(floor.problems).toEqual([]);
});

const REVISIONS = ['0000e0d5.6478d2b1.01.01', '0000e0d5.6478d2b1.01.02'] as const;
const revision = (order: PlacedOrder, number: 0 | 1, change: Partial<BrokerExecution> = {}) =>
  execution(order, {
    executionId: REVISIONS[number] as ExecutionId,
    revisionStem: '0000e0d5.6478d2b1.01.',
    quantity: toQuantity(4),
    ...change,
  });

test('an execution reported again under its next revision is not booked a second time', async () => {
  const changes = [
    [{ price: 101 }, 'changes'],
    [{ quantity: toQuantity(5) }, 'changes'],
    [{ quantity: toQuantity(0) }, 'takes back'],
  ] as const;
  for (const [change, says] of changes) {
    const { id, order, active } = await bought();
    floor.problems.length = 0;
    reported.executions = [revision(order, 0)];
    await reconcile(context, active);
    reported.executions = [revision(order, 1, change), revision(order, 0)];
    await reconcile(context, active);
    await reconcile(context, active);
    expect(floor.problems).toContain(`held: it ${says} the execution ${REVISIONS[0]}, which is booked`);
    expect(await held(id)).toEqual([{ units: 4 }]);
  }
});

test('of two revisions reported together, or in reverse order, only the later one is booked', async () => {
  for (const tells of ['together', 'turned'] as const) {
    const { id, order, active } = await bought();
    const [first, second] = [revision(order, 0), revision(order, 1, { quantity: toQuantity(3) })];
    reported.executions = tells === 'together' ? [first, second] : [second];
    await reconcile(context, active);
    reported.executions = [first, second];
    await reconcile(context, active);
    expect(await held(id)).toEqual([{ units: 3 }]);
  }
  expect(floor.problems).toEqual([]);
});

test("an execution that was never booked can be reversed, and the order's other executions are booked", async () => {
  const { id, order, active } = await bought();
  reported.executions = [
    revision(order, 1, { quantity: toQuantity(0) }),
    execution(order, {
      executionId: '0000e0d5.6478d2b2.01.01' as ExecutionId,
      revisionStem: '0000e0d5.6478d2b2.01.',
      quantity: toQuantity(2),
    }),
  ];
  await reconcile(context, active);
  expect(floor.problems).toEqual([]);
  expect(await held(id)).toEqual([{ units: 2 }]);
});

test('a manual trade that is reported again is not counted twice either', async () => {
  const { order, active } = await bought();
  const externalPosition = { clientOrderId: null, brokerOrderId: 'by hand' };
  reported.executions = [revision(order, 0, externalPosition)];
  // The order's own fate is known: the trade cannot belong to it.
  reported.orders = [];
  await handle.pool.query(`update orders set status = 'working' where id = $1`, [order.id]);
  await reconcile(context, active);
  reported.executions = [
    revision(order, 0, externalPosition),
    revision(order, 1, { ...externalPosition, price: 99 }),
  ];
  await reconcile(context, active);
  expect(await external(active.connection.accountId)).toEqual([{ execution_id: REVISIONS[0], units: 4 }]);
  expect(floor.problems[0]).toMatch(/changes the execution/);
});

describe('an execution from before a split', async () => {
  const handle = await testDatabase();
  const world = await tradingWorld(handle);
  const { market, venue } = world;
  afterAll(() => world.trader.close());

  const held = async (of: DeploymentId) =>
    (
      await handle.pool.query(
        `select quantity::float as units, cost_micro::float / 1e6 as cost from positions
       where deployment_id = $1 and symbol = 'AAA'`,
        [of],
      )
    ).rows[0];
  const runTicks = () => {
    world.wait(60_000);
    return world.trader.tick();
  };
  /** Two new shares for each old one, at half the price, after the session that ends now. */
  const split = async () => {
    const exDate = nextTradingDay('us-equity', utcDate(market.now()));
    market.closeDay();
    market.actions.push({ symbol: 'AAA' as Symbol, kind: 'split', exDate, amount: 2 });
    market.setPrice('AAA', market.price('AAA') / 2);
    await runTicks();
  };
  const holds = async () =>
    expect((await checkRecords(handle.database)).flatMap(({ violations }) => violations)).toEqual([]);

  const version = await world.addStrategy(BOTH_ABOVE_30);
  const id = await world.deploy(version, { account: 'DU1' });

  test('a purchase from before a split, reported after it, counts in new shares at the price paid', async () => {
    market.closeDay();
    await runTicks();
    market.openDay();
    const late = venue.executions.splice(0);
    const [bought] = late.filter(({ execution }) => execution.symbol === 'AAA');
    const { quantity, price } = bought!.execution;
    await runTicks();
    await split();
    expect(await held(id)).toBeUndefined();
    venue.executions.push(...late);
    await runTicks();
    expect(await held(id)).toEqual({ units: (2 * quantity) / 1e8, cost: (quantity / 1e8) * price });
    await holds();
  });

  test('shares bought externally before a split count in new shares', async () => {
    market.openDay();
    venue.tradeExternally('DU1', 'AAA', 'buy', 3);
    await runTicks();
    const external = async () =>
      (await readAccountBooks(handle.database, 'DU1')).find(({ symbol }) => symbol === 'AAA')!.external / 1e8;
    expect(await external()).toBe(3);
    await split();
    expect(await external()).toBe(6);
  });
});

// A sale whose fate the broker has not reported when a split is applied: it counts in current units.
describe('a sale of unknown fate from before a split', async () => {
  const { handle, market, venue, rows, runTicks, trading, units } = await booksStage('SPLIT');
  const sellsTooMuch = async () => {
    const verdicts = await checkRecords(handle.database);
    return verdicts.find(({ says }) => says.includes('sells no more than it holds'))!.violations;
  };

  test.each([
    ['a reverse split', 0.5, 20],
    ['a split', 3, 120],
  ])('%s: no more than is held is no violation, and anything beyond it is', async (_, amount, after) => {
    const { id } = await trading();
    market.setPrice('AAA', 29);
    market.closeDay();
    await runTicks();
    venue.down = true;
    market.openDay();
    const exDate = nextTradingDay('us-equity', utcDate(market.now()));
    market.closeDay();
    market.actions.push({ symbol: 'AAA' as Symbol, kind: 'split', exDate, amount });
    market.setPrice('AAA', 29 / amount);
    await runTicks();
    expect(await units(id)).toBe(after);
    expect(
      await rows(
        `select quantity::float8, status from orders where deployment_id = $1 and side = 'sell' and symbol = 'AAA'`,
        id,
      ),
    ).toEqual([{ quantity: 40, status: 'working' }]);
    expect(await sellsTooMuch()).toEqual([]);
    const hold = (more: number) =>
      rows(
        `update positions set quantity = quantity + $2 where deployment_id = $1 and symbol = 'AAA'`,
        id,
        more,
      );
    await hold(-1);
    expect(await sellsTooMuch()).toHaveLength(1);
    await hold(1);
    venue.down = false;
    market.openDay();
    await runTicks(3);
    expect(await units(id)).toBe(0);
  });
});
