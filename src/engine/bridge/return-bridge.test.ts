import { describe, expect, it } from 'vitest';
import { LIMITS, NO_LIMITS, publishedRun } from '#tests/support/engine/published-run.ts';
import { MARKETS } from '#tests/support/engine/random-backtest.ts';
import { instant, type IsoDate } from '#units/instant.ts';
import { add, type Micro, micro, toMicro } from '#units/money.ts';
import { roundHalfEven } from '#units/round.ts';
import { backtest } from '../backtest/backtest.ts';
import type { EvidenceRunInput } from '../evidence/evidence-run.ts';
import { type BridgeLadder, bridgeLadder, type LadderTerms } from './bridge-ladder.ts';
import { type ActualDay, BRIDGE_STEPS, bridgeInCents, returnBridge } from './return-bridge.ts';

const input = (market: (typeof MARKETS)[number], seed: number) =>
  publishedRun(market, { seed, days: 500, actionEvery: 40 });

function startOf(published: EvidenceRunInput): LadderTerms['start'] {
  const { timeline } = backtest(published);
  return instant(timeline[Math.floor(timeline.length / 2)]! - 3_600_000);
}

/** A deployment that did exactly what the ladder's last rung did; where markets close at several times, by the last of a day. */
function asTheLadder({ dates, rounded, amount, slippage, commission, income }: BridgeLadder): ActualDay[] {
  return dates.flatMap((date, i) => {
    if (dates[i + 1] === date) return [];
    const value = micro(roundHalfEven(rounded[i]! * amount));
    return {
      date,
      invested: amount,
      value,
      explained: value,
      slippage: micro(slippage[i]!),
      commission: micro(commission[i]!),
      cash: micro(0),
      income: micro(income[i]!),
      fee: micro(0),
    };
  });
}

describe.each(MARKETS)('the return bridge of %s', (market) => {
  it.each([1, 2, 3])(
    'leaves no step after rounding to a deployment that did what the record did (%i)',
    (seed) => {
      const published = input(market, seed);
      const start = startOf(published);
      const terms = { start, amount: toMicro(23_456), limits: LIMITS, takesFractions: false };
      const ladder = bridgeLadder(published, terms);
      const days = asTheLadder(ladder);
      const bridge = returnBridge(ladder, days);
      expect(bridge).toHaveLength(new Set(ladder.dates).size);
      expect(bridge.length).toBeGreaterThan(100);
      for (const { steps } of bridge)
        for (const step of ['orders', 'slippage', 'commission', 'cash', 'income', 'fee', 'residual'] as const)
          expect(Math.abs(steps[step]), step).toBeLessThanOrEqual(3);
    },
  );

  it('has no step at all with the published terms from the first day on', () => {
    const published = input(market, 4);
    const { timeline } = backtest(published);
    const terms = { amount: toMicro(100_000), limits: NO_LIMITS, takesFractions: false };
    const ladder = bridgeLadder(published, { ...terms, start: instant(timeline[0]! - 1) });
    for (const { steps } of returnBridge(ladder, asTheLadder(ladder)))
      for (const step of BRIDGE_STEPS) expect(Math.abs(steps[step]), step).toBeLessThanOrEqual(3);
  });
});

describe('a day of the return bridge', () => {
  const published = input('shares', 7);
  const terms = { start: startOf(published), amount: toMicro(50_000), limits: LIMITS, takesFractions: true };
  const ladder = bridgeLadder(published, terms);
  const changed = (own: (i: number) => Partial<Record<Exclude<keyof ActualDay, 'date'>, Micro>>) =>
    asTheLadder(ladder).map((day, i): ActualDay => ({ ...day, ...own(i) }));

  it('sums from the published record to what the person has, to the micro-dollar and to the cent', () => {
    const days = asTheLadder(ladder).map((day, i): ActualDay => {
      const explained = micro(day.value - 1_234_567 * i);
      const more = { commission: micro(day.commission - 7_777 * i), cash: micro(3 * i), fee: micro(-41 * i) };
      return { ...day, ...more, explained, value: micro(explained + (i % 7)) };
    });
    for (const day of returnBridge(ladder, days)) {
      expect(add(day.published, ...BRIDGE_STEPS.map((step) => day.steps[step]))).toBe(day.mine);
      const cents = bridgeInCents(day);
      expect(add(cents.published, ...BRIDGE_STEPS.map((step) => cents.steps[step]))).toBe(cents.mine);
      expect(Math.abs(cents.mine - day.mine)).toBeLessThanOrEqual(5_000);
    }
  });

  it('puts each cause into its own step', () => {
    const last = (days: readonly ActualDay[]) => returnBridge(ladder, days).at(-1)!.steps;
    const before = last(asTheLadder(ladder));
    const at = ladder.dates.length - 1;
    const day = asTheLadder(ladder)[at]!;
    const costs = (step: 'slippage' | 'commission' | 'income' | 'cash', amount: number) =>
      changed(() => ({
        [step]: micro(day[step] + amount),
        explained: micro(day.value + amount),
        value: micro(day.value + amount),
      }));
    for (const step of ['slippage', 'commission', 'income', 'cash'] as const)
      expect(last(costs(step, -5_000_000))[step] - before[step]).toBe(-5_000_000);
    expect(last(changed(() => ({ fee: micro(-9_000_000) }))).fee).toBe(-9_000_000);
    const missed = changed(() => ({ value: micro(day.value - 800), explained: micro(day.value - 800) }));
    expect(last(missed).orders - before.orders).toBe(-800);
    const unexplained = changed((i) => ({ explained: micro(asTheLadder(ladder)[i]!.value + 12_345) }));
    expect(last(unexplained).residual).toBe(-12_345);
  });

  it('lets money that is put in later join the record where it then is', () => {
    const half = Math.floor(ladder.dates.length / 2);
    const flow = toMicro(10_000);
    const days = asTheLadder(ladder).map((day, i) =>
      i < half ? day : { ...day, invested: add(day.invested, flow) },
    );
    const [at, end] = [ladder.published[half - 1]!, ladder.published.at(-1)!];
    const { published: worth } = returnBridge(ladder, days).at(-1)!;
    expect(worth).toBeCloseTo(ladder.amount * end + (flow * end) / at, -1);
  });

  it('reaches as far as the published record does', () => {
    const days = asTheLadder(ladder);
    const later = { ...days.at(-1)!, date: '2999-01-01' as IsoDate };
    expect(returnBridge(ladder, [...days, later])).toHaveLength(days.length);
    const none = bridgeLadder(published, { ...terms, start: instant(Date.parse('2999-01-01')) });
    expect(none.dates).toHaveLength(1);
    expect(returnBridge(none, days).every(({ steps }) => steps.start === 0)).toBe(true);
    expect(() => returnBridge(ladder, days.toReversed())).toThrow(RangeError);
  });
});
