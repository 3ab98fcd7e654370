import { describe, expect, it } from 'vitest';
import type { IsoDate } from '#units/instant.ts';
import { fromMicro, type Micro, toMicro } from '#units/money.ts';
import { LIMITS, NO_LIMITS, publishedRun } from '#tests/support/engine/published-run.ts';
import { MARKETS } from '#tests/support/engine/random-backtest.ts';
import { backtest } from '../backtest/backtest.ts';
import { netOfFee } from '../performance/net-of-fee.ts';
import { alternativesOf } from './alternatives.ts';
import { limitEffects, limitFirings } from './limit-effects.ts';
import { Rehearser, type RehearsalTerms } from './rehearsal.ts';
import { worstYear } from './worst-year.ts';

const input = (market: (typeof MARKETS)[number], seed: number) =>
  publishedRun(market, { seed, days: 900, actionEvery: 200 });

const terms = (changed: Partial<RehearsalTerms> = {}): RehearsalTerms => ({
  amount: toMicro(100_000),
  limits: NO_LIMITS,
  takesFractions: false,
  feePercent: 30,
  ...changed,
});

describe.each(MARKETS)('a rehearsal of %s', (market) => {
  it.each([1, 2, 3])('with the published terms is the published record, bit for bit (%i)', (seed) => {
    const published = input(market, seed);
    const rehearser = new Rehearser(published);
    const { dates, value, published: shown, feePaid } = rehearser.rehearse(terms());
    const { equity } = backtest(published);
    const dollars = equity.map((micro) => fromMicro(micro as Micro));
    const expected = netOfFee(dates, dollars, 30);
    expect(value).toEqual(expected);
    expect(shown.at(-1)).toBeCloseTo(expected.at(-1)!, 4);
    expect(feePaid).toBeGreaterThanOrEqual(0);
  });

  it('is the backtest of its own amount and limits, whatever was rehearsed before', () => {
    const published = input(market, 4);
    const rehearser = new Rehearser(published);
    const mine = terms({ amount: toMicro(23_456.78), limits: LIMITS, feePercent: 0 });
    rehearser.rehearse(terms());
    const { value, firings } = rehearser.rehearse(mine);
    const settings = { ...published.settings, initialCash: mine.amount, limits: LIMITS };
    const { equity, notices } = backtest({ ...published, settings });
    expect(value).toEqual(equity.map((micro) => fromMicro(micro as Micro)));
    expect(firings).toHaveLength(notices.filter(({ notice }) => notice.type !== 'margin_call').length);
    expect(rehearser.rehearse(mine)).toEqual(rehearser.rehearse(mine));
  });
});

it('each limit’s effect is what the end would have been without it', () => {
  const published = input('shares', 5);
  const rehearser = new Rehearser(published);
  const { value, effects, firings } = rehearser.rehearse(terms({ limits: LIMITS }));
  const without = (off: Partial<typeof LIMITS>) =>
    rehearser.rehearse(terms({ limits: { ...LIMITS, ...off } })).value.at(-1)!;
  const end = value.at(-1)!;
  expect(effects).toEqual({
    stopLoss: end - without({ stopLossPercentage: 0 }),
    maxAllocation: end - without({ maxAllocationPercent: 0 }),
    freeze: end - without({ freezeOnDrawdownPercent: 0 }),
  });
  expect(firings.some(({ limit }) => limit === 'stop_loss')).toBe(true);
  expect(rehearser.rehearse(terms()).effects).toEqual({ stopLoss: null, maxAllocation: null, freeze: null });
});

it('with fractions it trades what whole shares cannot', () => {
  const published = input('shares', 6);
  const rehearser = new Rehearser(published);
  const small = terms({ amount: toMicro(40) });
  expect(rehearser.rehearse(small).fills).toBe(0);
  expect(rehearser.rehearse({ ...small, takesFractions: true }).fills).toBeGreaterThan(0);
});

it('a stop saved what the position lost afterwards, for as many units', () => {
  const trade = { symbol: 'AAA', side: 'long', entryAt: 100, entryPrice: 10, exitPrice: 0, returnPercent: 0 };
  const stopped = { ...trade, exitAt: 300, quantity: 50, pnl: -50_000_000 };
  const held = { ...trade, exitAt: 900, quantity: 100, pnl: -300_000_000 };
  const notice = { type: 'stop_loss', symbol: 'AAA', lossPercent: 10 };
  const firings = (others: readonly object[]) =>
    limitFirings({ notices: [{ at: 200, notice }], trades: [stopped] } as never, others as never);
  expect(firings([held])).toMatchObject([{ limit: 'stop_loss', symbol: 'AAA', lossPercent: 10, saved: 100 }]);
  expect(firings([])).toMatchObject([{ saved: null }]);
  expect(firings([{ ...held, exitAt: 150 }]), 'left before').toMatchObject([{ saved: null }]);
});

it('nothing is run for a limit that is off', () => {
  const ran: object[] = [];
  limitEffects({ ...NO_LIMITS, maxAllocationPercent: 20 }, 100, (limits) => {
    ran.push(limits);
    return { value: 90 };
  });
  expect(ran).toEqual([NO_LIMITS]);
});

it('the worst year is the lowest of all twelve months, and none of a shorter record', () => {
  const dates = ['2020-01-01', '2020-07-01', '2021-01-01', '2021-07-02', '2022-01-03'] as IsoDate[];
  const values = Float64Array.of(100, 150, 90, 120, 99);
  expect(worstYear(dates, values)).toEqual({
    from: '2020-07-01',
    to: '2021-07-02',
    change: 120 / 150 - 1,
    dollars: -30,
  });
  expect(worstYear(dates.slice(0, 2), values.slice(0, 2))).toBe(null);
});

describe('the other orders of the same returns', () => {
  const ends = new Uint8Array(253);
  ends[252] = 1;
  const ask = (returns: Float64Array) => alternativesOf({ returns, ends, amount: 1000, feePercent: 0 });

  it('of equal returns are all the same path', () => {
    const { low, high, median, rows, lossShare } = ask(new Float64Array(252).fill(0.001))!;
    expect(rows.at(-1)).toBe(252);
    expect(low).toEqual(high);
    expect(median.at(-1)).toBeCloseTo(1000 * 1.001 ** 252, 6);
    expect(lossShare).toBe(0);
  });

  it('widen with time, around a middle, and repeat', () => {
    const returns = Float64Array.from(
      { length: 252 },
      (_, t) => (t % 2 === 0 ? 0.02 : -0.019) + t * 1e-5 - 0.00126,
    );
    const { low, high, median } = ask(returns)!;
    expect(high.at(-1)! - low.at(-1)!).toBeGreaterThan(high[5]! - low[5]!);
    expect(median.at(-1)!).toBeGreaterThan(low.at(-1)!);
    expect(ask(returns)).toEqual(ask(returns));
    expect(ask(new Float64Array(41))).toBe(null);
  });
});
