import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { canMove, type DeploymentStatus } from '#engine/lifecycle/status.ts';
import { openPortfolio } from '#engine/portfolio/apply-fill.ts';
import { step } from '#engine/step.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import type { BrokerExecution } from '#ports/broker.ts';
import { decideProposal, lockProposal } from '#records/adjustments/adjustments.ts';
import { insertOrders } from '#records/execution/orders.ts';
import { agreeOn, supportPeople } from '#tests/support/agreed-adjustment.ts';
import { requestStatus } from '#tests/support/deployment-commands.ts';
import { deployment, target, TERMS } from '#tests/support/engine/deployment.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { markSent, NOW, type PlacedOrder, tradingFloor } from '#tests/support/trading-floor.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { applyAdjustments } from '#trader/adjustments/apply-adjustments.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import { reconcile } from '#trader/reconciliation/reconcile-orders.ts';
import type { TradedVersion } from '#trader/strategies/traded-version.ts';
import type { TradingContext } from '#trader/trading-context.ts';
import type { BrokerConnectionId, DeploymentId, ExecutionId, OrderId, Symbol } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import { toQuantity } from '#units/quantity.ts';

// Adjustments of the books against all that may happen at the same moment, on two connections to the database.
describe('adjustments', async () => {
  const handle = await testDatabase();
  const floor = await tradingFloor(handle);
  const { reported } = floor;
  const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
  const [version] = await rows('select id from strategy_versions');
  const parsed = parseDefinition(BOTH_ABOVE_30);
  if (!parsed.ok) throw new Error('no definition');
  const context: TradingContext = {
    ...floor.context,
    versions: new Map([
      [
        version.id,
        { allowsShort: false, calendar: 'us-equity', definition: parsed.definition } as TradedVersion,
      ],
    ]),
  };
  await rows(`insert into processed_sessions (calendar, date, shard)
  select 'us-equity', '2026-02-27', shard from generate_series(0, 63) as s (shard)`);
  const people = await supportPeople(handle);

  const STEM = '0000e0d5.6478d2b1.01.';
  const execution = ({ order }: PlacedOrder, change: Partial<BrokerExecution>): BrokerExecution => ({
    executionId: `${STEM}01` as ExecutionId,
    revisionStem: STEM,
    clientOrderId: order.clientOrderId,
    brokerOrderId: `B${order.clientOrderId}`,
    symbol: order.symbol,
    brokerInstrumentId: 'AAA',
    side: 'buy',
    quantity: toQuantity(4),
    price: 100,
    commission: toMicro(1),
    at: NOW,
    ...change,
  });
  /** Four of ten are bought, then busted by the broker; two people agreed on that. */
  async function takenBack() {
    const person = await floor.person();
    const id = await floor.deploy(person);
    const [order] = await floor.order(person, [id]);
    await markSent(handle, [order!]);
    const active = floor.connect(person);
    const first = execution(order!, {});
    const taken = execution(order!, { executionId: `${STEM}02` as ExecutionId, quantity: toQuantity(0) });
    reported.executions = [first];
    await reconcile(context, active);
    reported.executions = [taken];
    await reconcile(context, active);
    const rest = execution(order!, {
      executionId: 'REST' as ExecutionId,
      revisionStem: null,
      quantity: toQuantity(6),
      price: 110,
    });
    const wanted = { deployment: id, execution: taken.executionId, undoes: first.executionId, units: 0 };
    const adjustment = await agreeOn(handle, people, wanted);
    return { id, person, active, rest, adjustment, orderId: order!.id };
  }
  /** Of four that are held, as the engine decides it. */
  async function sellThree({ connection }: { connection: string }, id: DeploymentId): Promise<PlacedOrder> {
    const symbol = 'AAA' as Symbol;
    const four = { symbol, quantity: toQuantity(4), cost: toMicro(400) };
    const portfolio = { ...openPortfolio(toMicro(9_600)), positions: new Map([[symbol, four]]) };
    const event = target({ AAA: 0.01 }, { AAA: 100 }, { id: `sale of ${id}`, at: NOW });
    const { orders } = step(deployment({ deploymentId: id, portfolio }), event, TERMS);
    const placed: PlacedOrder = { id: randomUUID() as string as OrderId, order: orders[0]! };
    const connectionId = connection as BrokerConnectionId;
    await handle.database
      .transaction()
      .execute((trx) =>
        insertOrders(trx, [
          { ...placed, connectionId, targetId: null, pricedAt: NOW, stopLossPercentage: null },
        ]),
      );
    await markSent(handle, [placed]);
    return placed;
  }
  const end = (order: string) =>
    rows(`update orders set status = 'cancelled', ended_at = sent_at where id = $1`, order);
  const position = async (id: string) =>
    (
      await rows(
        `select quantity::float8 as units, cost_micro::float8 / 1e6 as cost from positions where deployment_id = $1`,
        id,
      )
    )[0] ?? { units: 0, cost: 0 };
  const booked = (id: string) =>
    rows(`select from position_events where kind = 'adjustment' and deployment_id = $1`, id);
  const statusOf = async (adjustment: string) =>
    (await rows('select status from adjustments where id = $1', adjustment))[0].status;
  const turns = async (count: number) => {
    for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  /** What the active writes between marks agrees with itself; no trader has run here that could have ended anything else. */
  const booksHold = async () =>
    expect(
      (await checkRecords(handle.database))
        .filter(({ invariant }) => ['I2', 'I3', 'I4', 'I13'].includes(invariant))
        .flatMap(({ says, violations }) => violations.map((one) => [says, one])),
    ).toEqual([]);

  const TRIALS = 12;

  test('two traders that look at the same moment book it once', async () => {
    for (let trial = 0; trial < TRIALS; trial++) {
      const { id, person, active, adjustment, orderId } = await takenBack();
      await end(orderId);
      await Promise.all([
        applyAdjustments(context, active),
        applyAdjustments(context, floor.connect(person)),
      ]);
      expect(await statusOf(adjustment)).toBe('applied');
      expect(await booked(id)).toHaveLength(1);
      expect(await position(id)).toEqual({ units: 0, cost: 0 });
    }
    expect(floor.problems.filter((problem) => !problem.startsWith('held'))).toEqual([]);
    await booksHold();
  });

  test('a fill that arrives at the same moment is booked as well, in either order', async () => {
    for (let trial = 0; trial < TRIALS; trial++) {
      const { id, person, active, rest, adjustment, orderId } = await takenBack();
      reported.executions = [...reported.executions, rest];
      await Promise.all([
        reconcile(context, active),
        turns(trial).then(() => applyAdjustments(context, floor.connect(person))),
      ]);
      await reconcile(context, active);
      await end(orderId).catch(() => undefined);
      await applyAdjustments(context, active);
      expect(await statusOf(adjustment)).toBe('applied');
      expect(await position(id)).toEqual({ units: 6, cost: 660 });
      expect(
        await rows('select filled_quantity::float8 as filled from orders where id = $1', orderId),
      ).toEqual([{ filled: 6 }]);
    }
  });

  test('units busted from a working order fill again, and are booked to that order', async () => {
    const { id, active, rest, orderId, adjustment } = await takenBack();
    const order = () =>
      rows('select status, filled_quantity::float8 as filled from orders where id = $1', orderId);
    reported.executions = [...reported.executions, { ...rest, quantity: toQuantity(8) }];
    // Four booked units no longer count: with them it would be twelve of ten.
    await reconcile(context, active);
    expect(floor.problems).toContain('held: it would fill more than was ordered');
    expect(await order()).toEqual([{ status: 'working', filled: 4 }]);
    await applyAdjustments(context, active);
    expect(await statusOf(adjustment)).toBe('applied');
    expect(await order()).toEqual([{ status: 'working', filled: 0 }]);
    await reconcile(context, active);
    expect(await order()).toEqual([{ status: 'working', filled: 8 }]);
    expect(await position(id)).toEqual({ units: 8, cost: 880 });
    await booksHold();
    await end(orderId);
  });

  test('a sale that fills between approval and booking leaves one shortfall, whichever trader looks first', async () => {
    for (let trial = 0; trial < TRIALS; trial++) {
      const { id, person, active, adjustment, orderId } = await takenBack();
      await end(orderId);
      const sale = await sellThree(person, id);
      reported.executions = [
        ...reported.executions,
        execution(sale, {
          executionId: 'SALE' as ExecutionId,
          revisionStem: null,
          side: 'sell',
          quantity: toQuantity(3),
          price: 120,
        }),
      ];
      await applyAdjustments(context, active);
      expect(await statusOf(adjustment)).toBe('approved');
      const looks = [active, floor.connect(person)].map((one) =>
        turns(trial).then(() => applyAdjustments(context, one)),
      );
      await Promise.all([reconcile(context, active), ...looks]);
      await Promise.all([active, floor.connect(person)].map((one) => applyAdjustments(context, one)));
      expect(await statusOf(adjustment)).toBe('applied');
      expect(await position(id)).toEqual({ units: 0, cost: 0 });
      expect(await booked(id)).toHaveLength(1);
      const { accountId } = active.connection;
      expect(
        await rows(
          'select execution_id as id, quantity::float8 as units from suspense_entries where account_id = $1',
          accountId,
        ),
      ).toEqual([{ id: adjustment, units: 3 }]);
    }
    await booksHold();
  });

  test('a proposal that is declined while the trader looks is declined or booked, never both', async () => {
    for (let trial = 0; trial < TRIALS; trial++) {
      const { id, active, adjustment, orderId } = await takenBack();
      await end(orderId);
      const decline = () =>
        handle.database.transaction().execute(async (trx) => {
          const locked = await lockProposal(trx, adjustment);
          if (locked?.status === 'approved')
            await decideProposal(trx, adjustment, { by: people[0], declinedBecause: 'it was a mistake' });
        });
      await Promise.all([applyAdjustments(context, active), turns(trial % 6).then(decline)]);
      const status = await statusOf(adjustment);
      expect(await booked(id)).toHaveLength(status === 'applied' ? 1 : 0);
      expect((await position(id)).units).toBe(status === 'applied' ? 0 : 4);
      await rows(
        `update broker_inbox set closed_at = now(), hold_code = null, hold_params = null where closed_at is null and account_id = $1`,
        active.connection.accountId,
      );
    }
  });

  test('the database lets no one approve their own proposal, or change or delete one', async () => {
    const { id, adjustment, orderId } = await takenBack();
    await end(orderId);
    const own = `update adjustments set status = 'approved', decided_by = proposed_by where id = $1`;
    await rows(`insert into reconciliation_breaks (account_id, symbol, ours, external, theirs)
    select account_id, 'AAA', 4, 0, 3 from broker_connections c join deployments d on d.broker_connection_id = c.id
    where d.id = '${id}' on conflict do nothing`);
    const another = await agreeOn(handle, [people[0], null], { deployment: id, units: -1, price: 100 });
    await expect(rows(own, another)).rejects.toThrow(/four_eyes/);
    const unsigned = `update adjustments set status = 'approved' where id = $1`;
    await expect(rows(unsigned, another)).rejects.toThrow(/four_eyes/);
    for (const change of ['units = units - 1', 'price = 5', 'proposed_by = decided_by', `because = 'x'`])
      await expect(rows(`update adjustments set ${change} where id = $1`, adjustment)).rejects.toThrow(
        /as it was proposed/,
      );
    await expect(rows('delete from adjustments where id = $1', adjustment)).rejects.toThrow(/decided once/);
    await expect(
      rows(`update adjustments set status = 'applied', applied_at = now() where id = $1`, another),
    ).rejects.toThrow(/decided once/);
    await expect(agreeOn(handle, people, { deployment: id, units: -1, price: 99 })).rejects.toThrow(/stands/);
  });
});

describe('commands', async () => {
  const handle = await testDatabase();
  const world = await tradingWorld(handle);
  const { market, venue } = world;
  const version = await world.addStrategy(BOTH_ABOVE_30);
  afterAll(() => world.trader.close());

  const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
  const runTicks = () => {
    world.wait(60_000);
    return world.trader.tick();
  };
  const turns = async (count: number) => {
    for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  const holds = async () =>
    expect((await checkRecords(handle.database)).flatMap(({ violations }) => violations)).toEqual([]);

  beforeEach(async () => {
    market.setPrice('AAA', 100);
    market.setPrice('BBB', 40);
    market.closeDay();
    await runTicks();
  });

  test('settings that change while orders are sized apply to all orders of a target or to none', {
    timeout: 120_000,
  }, async () => {
    const seen = new Set<string>();
    for (let trial = 0; trial < 12; trial++) {
      const id = await world.deploy(version, { maxAllocation: 10, stopLoss: 5 });
      const tick = runTicks();
      await turns(trial * 3);
      await rows(
        `update deployments set stop_loss_percentage = 20, max_allocation_percent = 30, revision = revision + 1 where id = $1`,
        id,
      );
      await tick;
      await runTicks();
      const ordered = await rows(
        `select symbol, quantity::float as units from orders where deployment_id = $1 order by symbol`,
        id,
      );
      const sizes = ordered.map(({ symbol, units }) => `${symbol} ${units}`).join(', ');
      // A tenth of 10,000 each at 100 and 40, or three tenths.
      expect(['AAA 10, BBB 25', 'AAA 30, BBB 75']).toContain(sizes);
      seen.add(sizes);
    }
    expect(seen.size).toBeGreaterThan(0);
    await holds();
  });

  test('a stop, a liquidation, a stop loss and a fill at once close each position once, and never more than is held', {
    timeout: 120_000,
  }, async () => {
    for (let trial = 0; trial < 6; trial++) {
      const account = `RACE${trial}`;
      const id = await world.deploy(version, { stopLoss: 10, account });
      await runTicks();
      market.openDay();
      await runTicks();
      // Orders fill only in parts, so that exits and fills of the same order meet.
      venue.fillsAtMost = (15 * 1e8) as never;
      market.setPrice('AAA', 85);
      const tick = runTicks();
      await turns(trial * 5);
      const requested = trial % 2 === 0 ? 'stopped' : 'liquidated';
      await requestStatus(handle.pool, id, requested);
      market.advance(60_000);
      await tick;
      for (let i = 0; i < 8; i++) {
        market.advance(60_000);
        await runTicks();
        for (const symbol of ['AAA', 'BBB'])
          expect(venue.position(account, symbol)).toBeGreaterThanOrEqual(0);
      }
      venue.fillsAtMost = null;
      const [row] = await rows(
        `select status, cash_micro = equity_micro as flat from deployments where id = $1`,
        id,
      );
      expect({ trial, ...row }).toEqual({ trial, status: requested, flat: true });
      expect(['AAA', 'BBB'].map((symbol) => venue.position(account, symbol))).toEqual([0, 0]);
      const exits = await rows(
        `select symbol, sum(filled_quantity)::float as sold from orders where deployment_id = $1 and side = 'sell'
       group by symbol order by symbol`,
        id,
      );
      expect(exits).toEqual([
        { symbol: 'AAA', sold: 40 },
        { symbol: 'BBB', sold: 100 },
      ]);
      market.setPrice('AAA', 100);
      market.closeDay();
      await runTicks();
    }
    await holds();
  });

  test('each change of status in the audit log is an allowed transition', async () => {
    const moves = await rows(
      `select details::jsonb #>> '{from,status}' as was, details::jsonb #>> '{to,status}' as is_now, actor from audit_log
     where action = 'deployment.changed' and details::jsonb #>> '{to,status}' is not null`,
    );
    expect(moves.length).toBeGreaterThan(10);
    for (const { was, is_now: to } of moves as { was: DeploymentStatus; is_now: DeploymentStatus }[]) {
      const allowed = (['client', 'support', 'trader'] as const).some((by) => canMove({ from: was, to, by }));
      expect({ was, to, allowed }).toEqual({ was, to, allowed: true });
    }
  });
});
