import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BrokerExecution, BrokerOrder } from '#ports/broker.ts';
import { NO_MODELS } from '#tests/support/no-models.ts';
import { shownNotices } from '#tests/support/shown-notices.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { markSent, NOW, type PlacedOrder, tradingFloor } from '#tests/support/trading-floor.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import { reconcile } from '#trader/reconciliation/reconcile-orders.ts';
import type { DeploymentId, ExecutionId } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import { type Quantity, toQuantity } from '#units/quantity.ts';
import { wallInstantOf } from '#units/wall-instant.ts';

describe('a day without faults', async () => {
  const handle = await testDatabase();
  const world = await tradingWorld(handle);
  const { market, venue } = world;

  const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;

  test('a deployment is started, follows its strategy at the next opening and is marked', async () => {
    const version = await world.addStrategy(BOTH_ABOVE_30);
    const id = await world.deploy(version, { account: 'DU1' });
    market.closeDay();
    const report = await world.trader.tick();
    expect(report.problems).toEqual([]);
    expect(report).toMatchObject({
      targetsWritten: 1,
      deploymentsServed: 1,
      ordersWritten: 2,
      ordersSent: 2,
    });

    market.setPrice('AAA', 101);
    market.openDay();
    await world.trader.tick();
    // 40% of 10,000 at closes of 100 and 40.
    expect(
      await rows(
        `select symbol, quantity::float, mark_price::float from positions where deployment_id = $1 order by symbol`,
        id,
      ),
    ).toEqual([
      { symbol: 'AAA', quantity: 40, mark_price: 101 },
      { symbol: 'BBB', quantity: 100, mark_price: 40 },
    ]);
    const [deployment] = await rows(`select * from deployments where id = $1`, id);
    // 10,000 less 40 × 101 and 100 × 40, less 0.05% commission on both.
    expect(deployment).toMatchObject({
      status: 'active',
      cash_micro: String((10_000 - 4_040 - 4_000) * 1e6 - 2_020_000 - 2_000_000),
      equity_micro: String(10_000 * 1e6 - 4_020_000),
      realized_micro: '-4020000',
    });
    expect(
      await rows(
        `select status, filled_quantity::float from orders where deployment_id = $1 order by symbol`,
        id,
      ),
    ).toEqual([
      { status: 'filled', filled_quantity: 40 },
      { status: 'filled', filled_quantity: 100 },
    ]);
    const messages = await shownNotices(handle, 'deployment_id = $1', id);
    expect(
      messages.toSorted((a, b) => b.kind.localeCompare(a.kind) || (a.title < b.title ? -1 : 1)),
    ).toMatchObject([
      { kind: 'trading_started', title: 'Trading started' },
      { kind: 'order_filled', title: 'Bought AAA' },
      { kind: 'order_filled', title: 'Bought BBB' },
    ]);
    expect(venue.orders).toHaveLength(2);
  });

  test('a tick without news changes no record', async () => {
    const before = await rows(`select * from deployments`);
    const report = await world.trader.tick();
    expect(report).toMatchObject({ ordersWritten: 0, ordersSent: 0, fillsBooked: 0, deploymentsMarked: 0 });
    expect(await rows(`select * from deployments`)).toEqual(before);
  });

  test('each trading day leaves one equity mark, with the close of the benchmark', async () => {
    market.setPrice('AAA', 110);
    market.closeDay();
    await world.trader.tick();
    const marks = await rows(`select date, equity_micro, benchmark::float from equity_marks order by date`);
    expect(marks).toEqual([
      { date: '2026-03-02', equity_micro: '10000000000', benchmark: 100 },
      { date: '2026-03-03', equity_micro: String(10_000 * 1e6 - 4_020_000 + 40 * 9 * 1e6), benchmark: 110 },
    ]);
  });

  test('a second trader finds all shards taken and does nothing until one is released', async () => {
    const { createTrader } = await import('#trader/trader.ts');
    const other = createTrader({
      handle,
      brokers: [venue.broker],
      marketData: market.feed,
      models: NO_MODELS,
      openCredentials: () => ({}),
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
      newId: () => crypto.randomUUID(),
      realNow: () => wallInstantOf(market.now()),
    });
    expect(await other.tick()).toMatchObject({ deploymentsMarked: 0, ordersWritten: 0, problems: [] });
    const holders = async () =>
      rows(`select count(*)::int as shards from trading_shards where shard < 64 group by holder`);
    expect(await holders()).toEqual([{ shards: 64 }]);
    await other.close();
    await world.trader.close();
  });
});

const handle = await testDatabase();
const floor = await tradingFloor(handle);

/** What a broker can report on an order of 10: the first four units, the other six, and its status in the list. */
const EVENTS = ['acknowledged', 'part', 'rest', 'cancelled', 'rejected', 'expired'] as const;
type Event = (typeof EVENTS)[number];
const UNITS = { part: 4, rest: 6 } as const;
const PRICE = 101;
const COMMISSION = toMicro(0.5);

/** An order as the broker has reported it so far, and the books that must follow. */
class Life {
  readonly placed: PlacedOrder;
  listed: BrokerOrder['status'] | null = null;
  readonly executions: BrokerExecution[] = [];
  status = 'sending';
  notFilled = 0;

  constructor(placed: PlacedOrder) {
    this.placed = placed;
  }

  get units(): number {
    return this.executions.reduce((sum, { quantity }) => sum + quantity, 0) / 1e8;
  }

  tell(event: Event): void {
    if (event === 'part' || event === 'rest') this.executions.push(this.#execution(event));
    else this.listed = event === 'acknowledged' ? 'working' : event;
  }

  /** A look at the broker: executions first, then the status of the order. */
  look(): void {
    const isOver = ['cancelled', 'rejected', 'expired', 'filled'].includes(this.status);
    if (this.units === 10) this.status = 'filled';
    else if (!isOver && this.listed !== null && this.listed !== 'working') {
      this.status = this.listed;
      if (this.listed !== 'cancelled') this.notFilled += 1;
    } else if (!isOver && (this.units > 0 || this.listed === 'working')) this.status = 'working';
    else if (!isOver && this.status === 'sending') this.status = 'unknown';
  }

  row(): BrokerOrder[] {
    if (this.listed === null) return [];
    const { clientOrderId, symbol, side, quantity, limitPrice } = this.placed.order;
    const filled = toQuantity(this.units);
    const brokerOrderId = `at ${this.placed.id}`;
    const { listed: status } = this;
    const same = { brokerOrderId, clientOrderId, symbol, brokerInstrumentId: symbol, side };
    return [{ ...same, quantity, filled, limitPrice, status, note: '' }];
  }

  #execution(event: 'part' | 'rest'): BrokerExecution {
    const { clientOrderId, symbol, side } = this.placed.order;
    return {
      executionId: `${this.placed.id} ${event}` as ExecutionId,
      clientOrderId,
      brokerOrderId: `at ${this.placed.id}`,
      symbol,
      brokerInstrumentId: symbol,
      side,
      quantity: toQuantity(UNITS[event]) as Quantity,
      price: PRICE,
      commission: COMMISSION,
      at: NOW,
    };
  }
}

async function lives(count: number) {
  const person = await floor.person();
  const ids: DeploymentId[] = [];
  for (let from = 0; from < count; from += 8) {
    const chunk = Array.from({ length: Math.min(8, count - from) }, () => floor.deploy(person));
    ids.push(...(await Promise.all(chunk)));
  }
  const placed = await floor.order(person, ids);
  await markSent(handle, placed);
  return { active: floor.connect(person), lives: placed.map((one) => new Life(one)) };
}

type World = Awaited<ReturnType<typeof lives>>;

/** All reports come twice, the second time in reverse order. */
async function look({ active, lives: all }: World): Promise<void> {
  const executions = all.flatMap((life) => life.executions);
  floor.reported.orders = all.flatMap((life) => life.row());
  floor.reported.executions = [...executions, ...executions.toReversed()];
  await reconcile(floor.context, active);
  for (const life of all) life.look();
  expect(floor.problems.slice(0, 3)).toEqual([]);
}

async function books({ active }: World) {
  const { rows } = await handle.pool.query(
    `select o.id, o.status, o.filled_quantity::float as filled, d.cash_micro::float as cash,
       d.equity_micro::float as equity, d.realized_micro::float as realized,
       coalesce((select p.quantity::float from positions p where p.deployment_id = d.id), 0) as held,
       (select count(*)::int from fills f where f.order_id = o.id) as fills,
       (select count(*)::int from notifications n where n.deployment_id = d.id and n.kind = 'order_filled') as reported,
       (select count(*)::int from notifications n where n.deployment_id = d.id and n.kind = 'order_not_filled') as not_filled,
       coalesce((select sum(e.amount_micro) filter (where e.ledger_account = 'cash') from ledger_entries e
         where e.deployment_id = d.id), 0)::float as ledger_cash
     from orders o join deployments d on d.id = o.deployment_id where o.broker_connection_id = $1 order by o.id`,
    [active.connection.id],
  );
  return rows;
}

function expected({ lives: all }: World) {
  return all
    .map(({ placed, status, units, executions, notFilled }) => {
      const paid = executions.length * COMMISSION;
      const cash = 10_000e6 - units * PRICE * 1e6 - paid;
      const fills = executions.length;
      const equity = cash + units * 100e6;
      const same = { id: placed.id, status, filled: units, held: units, fills, reported: fills };
      return { ...same, cash, ledger_cash: cash, equity, realized: 0 - paid, not_filled: notFilled };
    })
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function permutations(events: readonly Event[]): Event[][] {
  if (events.length === 0) return [[]];
  return events.flatMap((first) =>
    permutations(events.filter((one) => one !== first)).map((rest) => [first, ...rest]),
  );
}

describe('the reports of a broker on an order', () => {
  // Each report is followed by a look, so that all shorter sequences are included.
  test('in all 720 sequences of six reports each execution is booked once, and an ended order stays ended', {
    timeout: 600_000,
  }, async () => {
    const all = permutations(EVENTS);
    const world = await lives(all.length);
    for (let word = 0; word < EVENTS.length; word++) {
      world.lives.forEach((life, i) => life.tell(all[i]![word]!));
      await look(world);
      expect(await books(world)).toEqual(expected(world));
    }
    expect((await checkRecords(handle.database)).flatMap(({ violations }) => violations)).toEqual([]);
  });

  test('in any batches, and with executions later than the list, lead to the same end', {
    timeout: 300_000,
  }, async () => {
    const words = fc.shuffledSubarray([...EVENTS], { minLength: 1 });
    const bundles = fc.array(fc.nat(2), { minLength: 6, maxLength: 6 });
    const orders = fc.array(fc.tuple(words, bundles), { minLength: 20, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(orders, async (schedules) => {
        const world = await lives(schedules.length);
        const left = schedules.map(([said]) => [...said]);
        for (let turn = 0; turn < EVENTS.length * 2; turn++) {
          world.lives.forEach((life, i) => {
            for (let n = schedules[i]![1][turn % 6]!; n > 0; n--) {
              const word = left[i]!.shift();
              if (word !== undefined) life.tell(word);
            }
          });
          await look(world);
        }
        expect(await books(world)).toEqual(expected(world));
      }),
      { numRuns: 6 },
    );
  });

  test('an end with more filled units than the executions show waits for the executions', async () => {
    for (const listed of ['cancelled', 'expired', 'rejected', 'filled'] as const) {
      const world = await lives(1);
      const [life] = world.lives as [Life];
      life.tell('part');
      life.listed = listed;
      const [row] = life.row();
      floor.reported.orders = [{ ...row!, filled: toQuantity(listed === 'filled' ? 10 : 4) }];
      floor.reported.executions = [];
      await reconcile(floor.context, world.active);
      // If it ended now, its missing units would be bought again on top of the fill.
      expect((await books(world))[0]).toMatchObject({
        status: 'working',
        filled: 0,
        held: 0,
        cash: 10_000e6,
      });
      if (listed === 'filled') life.tell('rest');
      await look(world);
      expect(await books(world)).toEqual(expected(world));
    }
  });
});
