import { afterAll, describe, expect, test } from 'vitest';
import { nextTradingDay } from '#engine/market/calendar.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { utcDate } from '#units/instant.ts';

describe('splits and dividends', async () => {
  const handle = await testDatabase();
  const world = await tradingWorld(handle);
  const { market } = world;
  afterAll(() => world.trader.close());

  const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
  const money = async (id: DeploymentId) =>
    (
      await rows(
        `select cash_micro::float as cash, equity_micro::float as equity from deployments where id = $1`,
        id,
      )
    )[0];
  const held = (id: DeploymentId) =>
    rows(`select symbol, quantity::float from positions where deployment_id = $1 order by symbol`, id);
  const violations = async () =>
    (await checkRecords(handle.database)).flatMap(({ violations: found }) => found);

  const version = await world.addStrategy(BOTH_ABOVE_30);
  const id = await world.deploy(version, { account: 'DU1' });
  market.closeDay();
  await world.trader.tick();
  market.openDay();
  await world.trader.tick();

  test('a split doubles the holding of the last close with the old shares, once, and moves no money', async () => {
    expect(await held(id)).toEqual([
      { symbol: 'AAA', quantity: 40 },
      { symbol: 'BBB', quantity: 100 },
    ]);
    const before = await money(id);
    const exDate = nextTradingDay('us-equity', utcDate(market.now()));
    market.closeDay();
    market.actions.push({ symbol: 'AAA' as Symbol, kind: 'split', exDate, amount: 2 });
    market.setPrice('AAA', market.price('AAA') / 2);
    const report = await world.trader.tick();
    expect(report.problems).toEqual([]);
    expect(await held(id)).toContainEqual({ symbol: 'AAA', quantity: 80 });
    expect(await money(id)).toEqual(before);
    await world.trader.tick();
    const again = await world.restart();
    await again.tick();
    market.openDay();
    await again.tick();
    expect(await held(id)).toContainEqual({ symbol: 'AAA', quantity: 80 });
    expect(await money(id)).toEqual(before);
    expect(await violations()).toEqual([]);
    const days = await rows(
      `select equity_micro::float as equity from equity_marks where deployment_id = $1 order by date`,
      id,
    );
    expect(days.slice(1)).toEqual(days.slice(1).map(() => ({ equity: before.equity })));
  });

  test('a dividend is paid in cash on the holding of the last close with it, once', async () => {
    const before = await money(id);
    const exDate = nextTradingDay('us-equity', utcDate(market.now()));
    market.closeDay();
    market.actions.push({ symbol: 'BBB' as Symbol, kind: 'dividend', exDate, amount: 0.5 });
    market.setPrice('BBB', market.price('BBB') - 0.5);
    await world.trader.tick();
    await world.trader.tick();
    expect(await money(id)).toEqual({ cash: before.cash + 50e6, equity: before.equity });
    const booked = await rows(
      `select kind, cause from ledger_transactions where deployment_id = $1 and kind = 'position_event'`,
      id,
    );
    expect(booked).toHaveLength(1);
    expect(await violations()).toEqual([]);
  });

  test('until a split is applied the holding keeps its last value: no limit trips on the halved price', async () => {
    const before = await money(id);
    const held = await rows(`select quantity::float as quantity from positions where symbol = 'AAA'`);
    await handle.pool.query(`update deployments set freeze_on_drawdown_percent = 5 where id = $1`, [id]);
    await handle.owner.query(`alter table position_events rename to position_events_away`);
    const exDate = nextTradingDay('us-equity', utcDate(market.now()));
    market.openDay();
    await world.trader.tick();
    market.closeDay();
    const split = {
      symbol: 'AAA' as Symbol,
      kind: 'split',
      exDate: nextTradingDay('us-equity', exDate),
      amount: 2,
    } as const;
    market.actions.push(split);
    market.setPrice('AAA', market.price('AAA') / 2);
    const report = await world.trader.tick();
    expect(report.problems.map(({ where }) => where)).toContain(
      `end-of-day processing of ${exDate} (us-equity)`,
    );
    expect(await money(id)).toEqual(before);
    await handle.owner.query(`alter table position_events_away rename to position_events`);
    await world.trader.tick();
    expect(await money(id)).toEqual(before);
    expect(await rows(`select quantity::float as quantity from positions where symbol = 'AAA'`)).toEqual(
      held.map(({ quantity }) => ({ quantity: quantity * 2 })),
    );
    expect(await rows(`select frozen_at from deployments where id = $1`, id)).toEqual([{ frozen_at: null }]);
  });

  test('the stop loss acts up to the close before an ex-date and from its opening on, and not in between', async () => {
    const day = async (price: number) => {
      market.setPrice('AAA', price);
      market.openDay();
      await world.trader.tick();
      await world.trader.tick();
    };
    const exits = (of: DeploymentId) =>
      rows(`select symbol from orders where deployment_id = $1 and purpose = 'stop_loss'`, of);
    const [before, after] = [
      await world.deploy(version, { account: 'DU2', stopLoss: 10 }),
      await world.deploy(version, { account: 'DU3', stopLoss: 30 }),
    ];
    market.closeDay();
    market.setPrice('AAA', 100);
    market.closeDay();
    await world.trader.tick();
    await day(100);
    // Announced long before, as real ones are.
    const exDate = nextTradingDay('us-equity', utcDate(market.now()));
    market.actions.push({ symbol: 'AAA' as Symbol, kind: 'split', exDate, amount: 2 });
    await world.trader.tick();
    market.setPrice('AAA', 85);
    await world.trader.tick();
    expect([await exits(before), await exits(after)]).toEqual([[{ symbol: 'AAA' }], []]);
    await handle.owner.query(`alter table position_events rename to position_events_away`);
    market.closeDay();
    await world.trader.tick();
    await day(42.5);
    expect(await exits(after)).toEqual([]);
    const asOf = async () =>
      (await rows(`select marked_at from deployments where id = $1`, after))[0].marked_at;
    const old = await asOf();
    market.advance(40 * 60_000);
    await world.trader.tick();
    expect(await asOf()).toEqual(old);
    await handle.owner.query(`alter table position_events_away rename to position_events`);
    await world.trader.tick();
    expect(await exits(after)).toEqual([]);
    expect(await asOf()).toEqual(new Date(market.now()));
    market.setPrice('AAA', 34);
    await world.trader.tick();
    expect(await exits(after)).toEqual([{ symbol: 'AAA' }]);
    expect(await violations()).toEqual([]);
  });

  test('a feed that repeats the last trade until the opening makes no one richer overnight', async () => {
    market.closeDay();
    await world.trader.tick();
    market.openDay();
    const exDate = nextTradingDay('us-equity', utcDate(market.now()));
    market.actions.push({ symbol: 'BBB' as Symbol, kind: 'split', exDate, amount: 4 });
    await world.trader.tick();
    const before = await money(id);
    market.closeDay();
    await world.trader.tick();
    market.advance(40 * 60_000);
    await world.trader.tick();
    expect(await money(id)).toEqual(before);
    market.setPrice('BBB', market.price('BBB') / 4);
    market.openDay();
    await world.trader.tick();
    expect(await money(id)).toEqual(before);
  });
});

describe('end-of-day processing that starts again', async () => {
  const handle = await testDatabase();
  const world = await tradingWorld(handle);
  const { market, venue } = world;
  afterAll(() => world.trader.close());

  const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
  const held = async (id: DeploymentId, symbol: string) =>
    (
      await rows(
        `select quantity::float as units from positions where deployment_id = $1 and symbol = $2`,
        id,
        symbol,
      )
    )[0]?.units;
  const cash = async (id: DeploymentId) =>
    (await rows(`select cash_micro::float / 1e6 as cash from deployments where id = $1`, id))[0]
      .cash as number;
  const holds = async () =>
    expect((await checkRecords(handle.database)).flatMap(({ violations }) => violations)).toEqual([]);
  const runTicks = () => {
    world.wait(60_000);
    return world.trader.tick();
  };
  /** The shares are quoted ex-dividend from the session after the one that has just closed. */
  const announce = (symbol: string, kind: 'split' | 'dividend', amount: number) => {
    const exDate = nextTradingDay('us-equity', utcDate(market.now()));
    market.closeDay();
    market.actions.push({ symbol: symbol as Symbol, kind, exDate, amount });
  };

  const version = await world.addStrategy(BOTH_ABOVE_30);
  const id = await world.deploy(version, { account: 'DU1' });
  market.closeDay();
  await runTicks();
  // The first day fills only ten of each; the rest is bought on another day.
  venue.fillsAtMost = (10 * 1e8) as never;
  market.openDay();
  await runTicks();

  test('a dividend is paid on the holding of the close, not on later purchases', async () => {
    expect([await held(id, 'AAA'), await held(id, 'BBB')]).toEqual([10, 10]);
    announce('AAA', 'dividend', 0.5);
    await runTicks();
    const paid = await rows(
      `select e.amount_micro::float / 1e6 as paid from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
     where t.deployment_id = $1 and t.kind = 'position_event' and e.ledger_account = 'cash'`,
      id,
    );
    expect(paid).toEqual([{ paid: 5 }]);
    await holds();
  });

  test('a dividend found only after the next purchases is paid on the holding of its close', async () => {
    venue.matches = false;
    market.openDay();
    await runTicks();
    const [before, atClose] = [await cash(id), await held(id, 'BBB')];
    announce('BBB', 'dividend', 1);
    // The session cannot be processed before the purchases of the next morning.
    await handle.owner.query(
      `create trigger no_event before insert on position_events for each row execute function refuse_change()`,
    );
    await runTicks();
    Object.assign(venue, { matches: true, fillsAtMost: null });
    market.openDay();
    await runTicks();
    await handle.owner.query(`drop trigger no_event on position_events`);
    expect(await held(id, 'BBB')).toBeGreaterThan(atClose);
    const between = await cash(id);
    expect(between).toBeLessThan(before);
    await world.restart();
    await runTicks();
    expect(await cash(id)).toBeCloseTo(between + atClose, 6);
    await holds();
  });

  test('after a crash during end-of-day processing the next process repeats it, and nothing is applied twice', async () => {
    const units = await held(id, 'AAA');
    announce('AAA', 'split', 2);
    market.setPrice('AAA', market.price('AAA') / 2);
    await runTicks();
    expect(await held(id, 'AAA')).toBe(2 * units);
    const money = await cash(id);
    // It died before it marked the session as processed.
    for (let i = 0; i < 2; i++) {
      await rows(`delete from processed_sessions`);
      await world.restart();
      const { problems } = await runTicks();
      expect(problems).toEqual([]);
    }
    expect(await held(id, 'AAA')).toBe(2 * units);
    expect(await cash(id)).toBe(money);
    await holds();
  });

  test('a deployment whose end-of-day processing fails delays no other, and is skipped once it is quarantined', async () => {
    const other = await world.deploy(version, { account: 'DU2' });
    market.openDay();
    await runTicks();
    market.closeDay();
    await runTicks();
    market.openDay();
    await runTicks();
    const before = { poisoned: await held(id, 'AAA'), other: await held(other, 'AAA') };
    announce('AAA', 'split', 2);
    market.setPrice('AAA', market.price('AAA') / 2);
    await handle.owner.query(`create function poison() returns trigger language plpgsql as $$
    begin if new.deployment_id = '${id}' then raise exception 'poison'; end if; return new; end $$`);
    await handle.owner.query(
      `create trigger poison before insert on position_events for each row execute function poison()`,
    );
    const first = await runTicks();
    expect(first.problems.map(({ reason }) => reason)).toEqual(['poison', 'it waits for 1 deployment']);
    expect(await held(other, 'AAA')).toBe(2 * before.other);
    for (let i = 0; i < 4; i++) await runTicks();
    expect(await rows(`select status, reason_params as why from deployments where id = $1`, id)).toEqual([
      {
        status: 'failed',
        why: { failing: { task: 'end-of-day', symbol: 'AAA' }, from: 'active' },
      },
    ]);
    expect((await runTicks()).problems.map(({ reason }) => reason)).toEqual(['poison']);
    expect((await runTicks()).problems).toEqual([]);
    await handle.owner.query(`drop trigger poison on position_events`);
    expect([await held(id, 'AAA'), await held(other, 'AAA')]).toEqual([before.poisoned, 2 * before.other]);
    const [marked] = await rows(
      `select mark_price::float as price from positions where deployment_id = $1 and symbol = 'AAA'`,
      other,
    );
    expect(marked.price).toBe(market.price('AAA'));
  });
});

// The row of each trading day: the holding at its close. A day is over once data of a later one arrives.
describe('the row of each day', async () => {
  const handle = await testDatabase();
  const world = await tradingWorld(handle, () => 0, ['equity']);
  const { market, venue } = world;
  afterAll(() => world.trader.close());

  const days = async (id: string) => {
    const { rows } = await handle.pool.query(
      `select date, equity_micro::float8 / 1e6 as equity from equity_marks where deployment_id = $1 order by date`,
      [id],
    );
    return rows;
  };

  test('a fill of the next opening, reported before the trader reaches it, leaves the day before as it closed', async () => {
    const id = await world.deploy(await world.addStrategy(BOTH_ABOVE_30), { account: 'DU1' });
    market.closeDay();
    await world.trader.tick();
    await world.trader.tick();
    expect(await days(id)).toEqual([{ date: '2026-03-02', equity: 10_000 }]);

    // The market opens, at another price, between the trader's reading of the clock and its broker requests.
    venue.onCall = () => {
      venue.onCall = null;
      market.setPrice('AAA', 101);
      market.openDay();
    };
    const report = await world.trader.tick();
    expect(report).toMatchObject({ fillsBooked: 2, problems: [] });
    expect((await days(id))[0]).toEqual({ date: '2026-03-02', equity: 10_000 });

    await world.trader.tick();
    market.closeDay();
    await world.trader.tick();
    // 40 shares were bought a dollar above the last seen price, for total commissions of 4.02.
    expect(await days(id)).toEqual([
      { date: '2026-03-02', equity: 10_000 },
      { date: '2026-03-03', equity: 10_000 - 4.02 },
    ]);
  });

  test('a close that no trader saw is not written with what a stop sold at the next opening', async () => {
    const id = await world.deploy(await world.addStrategy({ ...BOTH_ABOVE_30, universe: ['AAA'] }), {
      account: 'DU2',
      stopLoss: 10,
    });
    market.setPrice('AAA', 100);
    for (const look of [market.closeDay, market.openDay, () => undefined]) {
      look();
      world.wait(60_000);
      await world.trader.tick();
    }
    expect(
      venue.orders.filter(({ stopPrice, status }) => stopPrice !== null && status === 'working'),
    ).toHaveLength(1);
    const before = await days(id);

    market.closeDay();
    market.setPrice('AAA', 80);
    market.openDay();
    world.wait(60_000);
    expect(await world.trader.tick()).toMatchObject({ fillsBooked: 1, problems: [] });
    const after = await days(id);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.at(-1).equity).toBeLessThan(8_500);
  });
});
