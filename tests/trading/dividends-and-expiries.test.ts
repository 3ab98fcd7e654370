import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { nextTradingDay } from '#engine/market/calendar.ts';
import { optionInstrument, parseOption } from '#engine/market/option-contract.ts';
import { requestStatusOfAll } from '#tests/support/deployment-commands.ts';
import { shownMessages, shownNotices } from '#tests/support/shown-notices.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { tradingWorld } from '#tests/support/trading-world.ts';
import { checkInvariants, checkRecords } from '#trader/invariants/check-invariants.ts';
import { PAYMENT_INVARIANTS } from '#trader/invariants/payment-invariants.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';

describe('an execution that is reported after an ex-date', async () => {
  const handle = await testDatabase();
  const world = await tradingWorld(handle);
  const { market, venue } = world;
  afterAll(() => world.trader.close());

  const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
  const runTicks = () => {
    world.wait(60_000);
    return world.trader.tick();
  };
  const cash = async (id: DeploymentId) =>
    (await rows(`select cash_micro::float / 1e6 as cash from deployments where id = $1`, id))[0]
      .cash as number;
  /** Dividends paid, and their kind of entry. */
  const paid = (id: DeploymentId) =>
    rows(
      `select t.kind, e.amount_micro::float / 1e6 as paid from ledger_entries e
     join ledger_transactions t on t.id = e.transaction_id
     where t.deployment_id = $1 and t.cause like 'dividend:%' and e.ledger_account = 'cash' order by e.id`,
      id,
    );
  const holds = async () =>
    expect((await checkRecords(handle.database)).flatMap(({ violations }) => violations)).toEqual([]);
  /** Ends the day; later quotes are ex the action. */
  const endOfDay = async (kind: 'split' | 'dividend', amount: number) => {
    market.closeDay();
    const exDate = nextTradingDay('us-equity', utcDate(market.now()));
    market.actions.push({ symbol: 'AAA' as Symbol, kind, exDate, amount });
    const price = market.price('AAA');
    market.setPrice('AAA', kind === 'split' ? price / amount : price - amount);
    await runTicks();
  };
  /** The orders of last night fill, and the broker reports the fills when the test says so. */
  const fillUnreported = async () => {
    market.openDay();
    const late = venue.executions.splice(0);
    await runTicks();
    return {
      late: late.filter(({ execution }) => execution.symbol === 'AAA'),
      tell: async () => {
        venue.executions.push(...late);
        await runTicks();
      },
    };
  };
  const decide = async (price: number) => {
    market.setPrice('AAA', price);
    market.closeDay();
    await runTicks();
  };
  const version = await world.addStrategy({
    language: 'bellwether-strategy/1',
    name: 'One share, both ways',
    universe: ['AAA'],
    benchmark: 'AAA',
    schedule: { every: 'day' },
    direction: 'long_short',
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'close', right: 30 },
      exitLong: { op: 'below', left: 'close', right: 30 },
      enterShort: { op: 'below', left: 'close', right: 20 },
      exitShort: { op: 'above', left: 'close', right: 20 },
    },
    gross: 0.8,
  });
  let accounts = 0;
  const deploy = () => world.deploy(version, { account: `DUL${++accounts}` });

  beforeEach(async () => {
    venue.tellsExecutions = 1;
    venue.executions.splice(0);
    await requestStatusOfAll(handle.pool, ['active', 'paused', 'frozen'], 'stopped');
    for (let day = 0; day < 3; day++) {
      market.openDay();
      await runTicks();
      await runTicks();
    }
    market.closeDay();
    await runTicks();
  });

  test('a purchase from before an ex-date that is reported after it gets the dividend, once', async () => {
    const id = await deploy();
    await decide(100);
    const { late, tell } = await fillUnreported();
    await endOfDay('dividend', 0.5);
    expect(await paid(id)).toEqual([]);
    venue.tellsExecutions = 2;
    await tell();
    const [{ execution }] = late as [(typeof late)[0]];
    const units = execution.quantity / 1e8;
    expect(await paid(id)).toEqual([{ kind: 'adjustment', paid: units * 0.5 }]);
    expect(await cash(id)).toBeCloseTo(
      10_000 - units * execution.price - Number(execution.commission) / 1e6 + units * 0.5,
      6,
    );
    await world.restart();
    await runTicks();
    market.openDay();
    await runTicks();
    expect(await paid(id)).toHaveLength(1);
    const reported = await shownMessages(handle, `deployment_id = $1 and kind = 'position_changed'`, id);
    expect(reported).toEqual([{ message: expect.stringContaining('a trade from before the ex-date') }]);
    await holds();
  });

  test('the check of the books detects a missing late dividend', async () => {
    const id = await deploy();
    await decide(100);
    const { tell } = await fillUnreported();
    await endOfDay('dividend', 0.5);
    await tell();
    await holds();
    const client = await handle.owner.connect();
    try {
      await client.query('alter table position_events disable trigger position_events_append_only');
      const gone = await client.query(
        `delete from position_events where deployment_id = $1 and execution <> '' returning *`,
        [id],
      );
      const violations = await PAYMENT_INVARIANTS[0]!.find(handle.database);
      expect(violations).toEqual([expect.objectContaining({ deployment_id: id, held: 80, paid_for: 0 })]);
      const [row] = gone.rows;
      await client.query(
        `insert into position_events (deployment_id, symbol, kind, date, event, entitled, realized_micro, after_entry, at, execution)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          row.deployment_id,
          row.symbol,
          row.kind,
          row.date,
          row.event,
          row.entitled,
          row.realized_micro,
          row.after_entry,
          row.at,
          row.execution,
        ],
      );
      await client.query('alter table position_events enable trigger position_events_append_only');
    } finally {
      client.release();
    }
    await holds();
  });

  test('a sale from before it that is reported after it gives the dividend back', async () => {
    const id = await deploy();
    await decide(100);
    market.openDay();
    await runTicks();
    await decide(29);
    const { tell } = await fillUnreported();
    await endOfDay('dividend', 0.5);
    expect(await paid(id)).toEqual([{ kind: 'position_event', paid: 40 }]);
    await tell();
    expect(await paid(id)).toEqual([
      { kind: 'position_event', paid: 40 },
      { kind: 'adjustment', paid: -40 },
    ]);
    await holds();
  });

  test('a short sale from before it owes the dividend', async () => {
    const id = await deploy();
    await decide(16);
    const { late, tell } = await fillUnreported();
    expect(late[0]!.execution.side).toBe('sell');
    await endOfDay('dividend', 0.5);
    await tell();
    const units = late[0]!.execution.quantity / 1e8;
    expect(await paid(id)).toEqual([{ kind: 'adjustment', paid: -units * 0.5 }]);
    await holds();
  });

  test('the dividend counts the shares of its own night: after earlier splits, before later ones', async () => {
    const id = await deploy();
    await decide(100);
    const { late, tell } = await fillUnreported();
    await endOfDay('split', 2);
    await endOfDay('dividend', 0.5);
    await endOfDay('split', 2);
    await tell();
    const units = late[0]!.execution.quantity / 1e8;
    expect(await paid(id)).toEqual([{ kind: 'adjustment', paid: units * 2 * 0.5 }]);
    expect(await rows(`select quantity::float from positions where deployment_id = $1`, id)).toEqual([
      { quantity: units * 4 },
    ]);
    await holds();
  });

  test('an execution booked while the night is applied to other deployments is included in the night', async () => {
    const [holder, late] = [await deploy(), await deploy()];
    await decide(100);
    market.openDay();
    const all = venue.executions.splice(0);
    const isLate = ({ accountId }: (typeof all)[0]) => accountId === `DUL${accounts}`;
    const unreported = all.filter(isLate);
    venue.executions.push(...all.filter((one) => !isLate(one)));
    await runTicks();
    const exDate = nextTradingDay('us-equity', utcDate(market.now()));
    market.closeDay();
    market.actions.push({ symbol: 'AAA' as Symbol, kind: 'dividend', exDate, amount: 0.5 });
    expect(unreported.length).toBeGreaterThan(0);
    let tell = () => undefined as void;
    const reported = new Promise<void>((resolve) => {
      tell = () => resolve();
    });
    venue.onCall = (call) => (call === 'orders' ? reported : undefined);
    const client = await handle.pool.connect();
    await client.query('begin');
    await client.query('select from deployments where id = $1 for update', [holder]);
    world.wait(60_000);
    const looking = world.trader.tick({ patienceMs: 5 });
    const until = async (query: string, ...values: unknown[]) => {
      for (let look = 0; look < 500; look++) {
        if ((await rows(query, ...values))[0].n > 0) return;
        await pause(20);
      }
      throw new Error(`never: ${query}`);
    };
    await until(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    venue.executions.push(...unreported);
    tell();
    await until(`select count(*)::int as n from fills where deployment_id = $1`, late);
    await client.query('commit');
    client.release();
    await looking;
    venue.onCall = null;
    expect(await paid(late)).toEqual([{ kind: 'position_event', paid: 40 }]);
    await runTicks();
    expect(await paid(late)).toHaveLength(1);
    await holds();
  });
});

describe('written options', async () => {
  const COVERED_CALL = {
    language: 'bellwether-strategy/1',
    name: 'Covered call',
    universe: ['AAA'],
    benchmark: 'AAA',
    direction: 'long_short',
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'close', right: 1 },
      exitLong: { op: 'below', left: 'close', right: 1 },
    },
    gross: 0.9,
    options: { structure: 'covered_call', underlyings: ['AAA'], strikePercent: 102 },
  };
  const MARCH = 'AAA.260320C102';
  const APRIL = 'AAA.260417C114';

  const handle = await testDatabase();
  const world = await tradingWorld(handle);
  const { market, venue } = world;
  afterAll(() => world.trader.close());

  for (const symbol of [MARCH, APRIL]) market.list(optionInstrument(parseOption(symbol as Symbol)!), 1.5);
  const version = await world.addStrategy(COVERED_CALL);
  const id = await world.deploy(version, { account: 'DU1', investment: 25_000 });

  const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
  const held = async (deployment: DeploymentId) =>
    Object.fromEntries(
      (
        await rows(
          `select symbol, quantity::float from positions where deployment_id = $1 order by 1`,
          deployment,
        )
      ).map(({ symbol, quantity }) => [symbol, quantity]),
    );
  const money = async () =>
    (await rows(`select cash_micro::float as cash, equity_micro::float as equity from deployments`))[0];
  const notices = async () =>
    (await shownNotices(handle, `kind = 'position_changed'`)).map(({ message }) => message);
  const brokerSide = { brokers: [venue.broker], openCredentials: () => ({}), pause: async () => undefined };
  const violations = async () =>
    (await checkInvariants(handle.database, brokerSide)).flatMap(({ violations: found, notChecked }) => [
      ...found,
      ...(notChecked === null ? [] : [{ notChecked }]),
    ]);
  /** To a minute after the close of a day, through every close before it. */
  async function closeOf(date: string): Promise<void> {
    for (;;) {
      market.closeDay();
      if (utcDate(market.now()) === date) return;
      await world.trader.tick();
      market.openDay();
      await world.trader.tick();
    }
  }

  test('calls are written once the covering shares are held', async () => {
    market.closeDay();
    await world.trader.tick();
    expect(await held(id)).toEqual({});
    market.openDay();
    await world.trader.tick();
    await world.trader.tick();
    expect(await held(id)).toEqual({ AAA: 225, [MARCH]: -2 });
    expect(await violations()).toEqual([]);
  });

  test('a written call in the money is assigned at expiry: shares leave at the strike, once, also if the trader dies', async () => {
    market.setPrice('AAA', 110);
    market.setPrice(MARCH, 8);
    await closeOf('2026-03-20');
    venue.deliver('DU1', MARCH, 2);
    venue.deliver('DU1', 'AAA', -200);
    venue.matches = false;
    const before = await money();
    // The trader dies after the night was dealt with, before it is noted as passed.
    await handle.owner.query(`alter table processed_sessions rename to processed_sessions_away`);
    await handle.owner.query(
      `create table processed_sessions (calendar text primary key check (calendar = ''), date date)`,
    );
    await world.trader.tick();
    await handle.owner.query(`drop table processed_sessions`);
    await handle.owner.query(`alter table processed_sessions_away rename to processed_sessions`);
    expect(await held(id)).toEqual({ AAA: 25 });
    const trader = await world.restart();
    await trader.tick();
    await trader.tick();
    expect(await held(id)).toEqual({ AAA: 25 });
    expect(await money()).toEqual({ cash: before.cash + 200 * 102e6, equity: before.equity });
    expect(await notices()).toEqual([
      'Covered call: 2 calls on AAA at $102 were assigned: 200 shares of AAA were sold at $102 each; the premium received counts towards the price of the shares.',
    ]);
    // (102 + 1.50 of premium - 100) for each of them.
    const [event] = await rows(
      `select realized_micro::float as realized from position_events where kind = 'assignment'`,
    );
    expect(event).toEqual({ realized: 200 * 3.5e6 });
    // A trade that has closed, with its commission alone: the premium went into the price of the shares.
    const commission = `select -sum(commission_micro)::float from fills where symbol = '${MARCH}'`;
    expect(
      await rows(`select side, quantity::float, closed_by, pnl_micro::float = (${commission}) as "isCommission"
        from round_trips where symbol = '${MARCH}'`),
    ).toEqual([{ side: 'short', quantity: 2, closed_by: 'assignment', isCommission: true }]);
    expect(
      await rows(`select closed_at, exit_price::float as exit from round_trips where symbol = 'AAA'`),
    ).toEqual([{ closed_at: null, exit: 103.5 }]);
    expect(await violations()).toEqual([]);
  });

  test('the strategy then buys its shares back and writes the next month', async () => {
    venue.matches = true;
    market.openDay();
    await world.trader.tick();
    await world.trader.tick();
    const { AAA, [APRIL]: calls } = await held(id);
    expect(AAA).toBeGreaterThan(200);
    expect(calls).toBe(-2);
    expect(await violations()).toEqual([]);
  });

  test('a call is assigned on the evening before a dividend above its time value, and called shares get no dividend', async () => {
    market.setPrice('AAA', 125);
    market.setPrice(APRIL, 11.2);
    await closeOf('2026-04-08');
    const exDate = nextTradingDay('us-equity', utcDate(market.now()));
    market.actions.push({ symbol: 'AAA' as Symbol, kind: 'dividend', exDate, amount: 3 });
    const before = await money();
    const { AAA: shares } = await held(id);
    venue.deliver('DU1', APRIL, 2);
    venue.deliver('DU1', 'AAA', -200);
    market.setPrice('AAA', 122);
    await world.trader.tick();
    await world.trader.tick();
    expect(await held(id)).toEqual({ AAA: shares! - 200 });
    const after = await money();
    expect(after.cash).toBe(before.cash + 200 * 114e6 + (shares! - 200) * 3e6);
    // What the assignment took is the time value that its holder gave up: 20 cents on each of 200 shares came back.
    expect(after.equity - before.equity).toBe(200 * 0.2e6);
    expect(await notices()).toContainEqual(
      expect.stringContaining('2 calls on AAA at $114 were assigned, before the last day'),
    );
    expect(await violations()).toEqual([]);
  });
});
