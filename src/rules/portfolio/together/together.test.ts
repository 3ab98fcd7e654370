import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, type Instant, instantOfDate, utcDate } from '#units/instant.ts';
import { toMicro, ZERO_MICRO } from '#units/money.ts';
import { exposureByInstrument, exposureByKind, type HeldBy } from './exposure.ts';
import { type DailyValues, jointDrawdown } from './joint-drawdown.ts';
import { DAYS_MIN, likenesses } from './overlap.ts';

const held = (id: string, equity: number, positions: Readonly<Record<string, number>>): HeldBy => ({
  id,
  strategyName: `Strategy ${id}`,
  equity: toMicro(equity),
  positions: Object.entries(positions).map(([ticker, dollars]) => ({
    ticker,
    kind: ticker.endsWith('USD') ? 'crypto' : 'equity',
    notional: toMicro(dollars),
  })),
});

const FIRST = instantOfDate('2026-01-05');
const values = (
  dollars: readonly number[],
  start = 0,
  flows: Readonly<Record<number, number>> = {},
): DailyValues =>
  dollars.map((equity, i) => ({
    date: utcDate((FIRST + (start + i) * DAY_MS) as Instant),
    equity: toMicro(equity),
    flow: i in flows ? toMicro(flows[i]!) : ZERO_MICRO,
  }));

describe('the exposure', () => {
  const all = [
    held('A', 10_000, { AAA: 4_000, BTCUSD: 1_000 }),
    held('B', 10_000, { AAA: -1_000, BBB: 500 }),
  ];

  it('adds what deployments hold of one instrument, long and short apart', () => {
    expect(exposureByInstrument(all)).toEqual([
      {
        of: 'AAA',
        kind: 'equity',
        long: toMicro(4_000),
        short: toMicro(1_000),
        netPercent: 15,
        strategyNames: ['Strategy A', 'Strategy B'],
      },
      expect.objectContaining({ of: 'BTCUSD', long: toMicro(1_000), netPercent: 5 }),
      expect.objectContaining({ of: 'BBB', long: toMicro(500), netPercent: 2.5 }),
    ]);
  });

  it('by kind sums to the same', () => {
    expect(exposureByKind(all).map(({ of, long, short }) => [of, long, short])).toEqual([
      ['equity', toMicro(4_500), toMicro(1_000)],
      ['crypto', toMicro(1_000), 0],
    ]);
  });
});

describe('two deployments', () => {
  const likeness = (first: HeldBy, second: HeldBy, days: ReadonlyMap<string, DailyValues> = new Map()) =>
    likenesses([first, second], days)[0]!;

  it('overlap by what both hold on the same side, in percent of the smaller', () => {
    const whole = held('A', 10_000, { AAA: 4_000, BBB: 4_000 });
    expect(likeness(whole, held('B', 5_000, { AAA: 1_000, CCC: 1_000 })).overlapPercent).toBe(50);
    expect(likeness(whole, held('B', 5_000, { AAA: -1_000 })).overlapPercent).toBe(0);
    expect(likeness(whole, held('B', 5_000, {})).overlapPercent).toBeNull();
  });

  it('correlate by their daily returns, once there are enough of them', () => {
    const zigzag = Array.from({ length: DAYS_MIN + 1 }, (_, i) => 1_000 + (i % 2 === 0 ? 0 : 10 + i));
    const against = zigzag.map((value) => 2_000_000 / value);
    const of = (first: DailyValues, second: DailyValues) =>
      likeness(
        held('A', 1, {}),
        held('B', 1, {}),
        new Map([
          ['A', first],
          ['B', second],
        ]),
      );
    expect(of(values(zigzag), values(zigzag)).correlation).toBeCloseTo(1, 9);
    expect(of(values(zigzag), values(against)).correlation).toBeLessThan(-0.99);
    expect(of(values(zigzag), values(zigzag.map(() => 5))).correlation).toBeNull();
    expect(of(values(zigzag.slice(1)), values(zigzag.slice(1)))).toMatchObject({
      correlation: null,
      days: DAYS_MIN - 1,
    });
  });

  it('do not correlate by money that one of them was given', () => {
    const quiet = Array.from({ length: DAYS_MIN + 2 }, (_, i) => 1_000 + (i % 3));
    const given = quiet.map((value, i) => value + (i >= 5 ? 9_000 : 0));
    const of = likeness(
      held('A', 1, {}),
      held('B', 1, {}),
      new Map([
        ['A', values(quiet)],
        ['B', values(given, 0, { 5: 9_000 })],
      ]),
    );
    expect(of.correlation).toBeGreaterThan(0.5);
  });
});

describe('the joint drawdown', () => {
  it('is that of all of them together: one can make up for another', () => {
    const all = [values([1_000, 900, 900]), values([1_000, 1_100, 1_000])];
    expect(jointDrawdown(all)).toEqual({
      nowPercent: expect.closeTo(-5, 9),
      deepestPercent: expect.closeTo(-5, 9),
      peak: '2026-01-06',
      trough: '2026-01-07',
    });
  });

  it('is not moved by money that comes or goes', () => {
    const came = jointDrawdown([values([1_000, 1_100, 600], 0, { 2: -500 }), values([5_000], 1)]);
    expect(came).toMatchObject({ nowPercent: 0, deepestPercent: 0, peak: null });
  });

  it('has nothing to say of a first day', () => {
    expect(jointDrawdown([values([1_000])])).toBeNull();
    expect(jointDrawdown([])).toBeNull();
  });

  it('is never deeper than all that can be lost, and never above zero', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer({ min: 0, max: 10_000 }), { maxLength: 20 })), (lists) => {
        const drawdown = jointDrawdown(lists.map((list) => values(list)));
        if (drawdown === null) return;
        expect(drawdown.nowPercent).toBeLessThanOrEqual(0);
        expect(drawdown.deepestPercent).toBeLessThanOrEqual(drawdown.nowPercent + 1e-9);
        expect(drawdown.deepestPercent).toBeGreaterThanOrEqual(-100 - 1e-9);
      }),
    );
  });
});
