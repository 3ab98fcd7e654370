import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeploymentId } from '#units/identifiers.ts';
import { addDays, isoDate, type IsoDate } from '#units/instant.ts';
import { countAlarms, delayOf, NULL_WORLDS, worldOf } from '#tests/support/engine/return-worlds.ts';
import { drawBlocks, uniforms } from '../rehearsal/block-bootstrap.ts';
import { afterDay, type EvidenceAgainst, NO_EVIDENCE, worthOf } from './evidence-against.ts';
import { EXPECTED_SHARES, expectedRange } from './expected-range.ts';
import { type ClosedDay, judgeDay, type Judgement } from './judge-day.ts';
import { type PublishedReturns, publishedReturns } from './published-returns.ts';
import { rangeOfDeployment, seedOf } from './range-of-deployment.ts';

const record = worldOf(NULL_WORLDS[0]!, 2_520, 1);
const published = publishedReturns(record)!;
const ask = (changed: Partial<Parameters<typeof expectedRange>[0]> = {}) =>
  expectedRange({ returns: record, sessions: 756, freezeOnDrawdownPercent: 0, seed: 1, ...changed });

describe('the expected range', () => {
  it('begins at what was put in, widens, and its shares never cross', () => {
    const { values, sessions } = ask();
    expect(sessions[0]).toBe(0);
    expect(sessions.at(-1)).toBe(756);
    expect(values.map(([first]) => first)).toEqual(EXPECTED_SHARES.map(() => 1));
    const [low, , , , high] = values;
    expect(high!.at(-1)! - low!.at(-1)!).toBeGreaterThan(high![5]! - low![5]!);
    for (let share = 1; share < values.length; share++)
      for (const [i, value] of values[share]!.entries())
        expect(value).toBeGreaterThanOrEqual(values[share - 1]![i]!);
  });

  it('holds the stated share of other orders of the same days', () => {
    const { values, sessions } = ask();
    const drawn = new Float64Array(756);
    const random = uniforms(977);
    let [inOuter, inInner] = [0, 0];
    for (let path = 0; path < 1_000; path++) {
      drawBlocks(drawn, { returns: record, random });
      const end = drawn.reduce((value, one) => value * (1 + one), 1);
      const at = sessions.length - 1;
      if (end > values[0]![at]! && end <= values[4]![at]!) inOuter++;
      if (end > values[1]![at]! && end <= values[3]![at]!) inInner++;
    }
    expect(inOuter / 1_000).toBeCloseTo(0.9, 1);
    expect(inInner / 1_000).toBeCloseTo(0.5, 1);
  });

  it('is the same for the same deployment, and another one for another', () => {
    expect(ask()).toEqual(ask());
    expect(ask({ seed: seedOf('a') })).not.toEqual(ask({ seed: seedOf('b') }));
  });

  it('ends where a freeze ends it: no path falls further than its limit and one day more', () => {
    const worstDay = Math.min(...record);
    const { values } = ask({ freezeOnDrawdownPercent: 10 });
    expect(Math.min(...values[0]!)).toBeGreaterThanOrEqual(0.9 * (1 + worstDay));
    expect(Math.min(...ask().values[0]!)).toBeLessThan(Math.min(...values[0]!));
  });
});

describe('of one deployment', () => {
  const of = (returns: Float64Array) =>
    rangeOfDeployment({
      deploymentId: 'd' as DeploymentId,
      rehearsed: { dates: [], returns },
      periodsPerYear: 252,
      freezeOnDrawdownPercent: 0,
    });

  it('is refused in words where the record is shorter than a year, or never traded', () => {
    const short = { code: 'short_record', days: 251, least: 252 };
    expect(of(record.subarray(0, 251))).toEqual({ days: 251, ok: false, why: short });
    expect(of(new Float64Array(2_000))).toEqual({ days: 0, ok: false, why: { code: 'never_traded' } });
  });

  it('leaves out the days before the first trade, and reaches no further than the record does', () => {
    const waited = new Float64Array(800);
    waited.set(record.subarray(0, 400), 400);
    const answer = of(waited);
    expect(answer.ok && [answer.days, answer.made.range.sessions.at(-1)]).toEqual([400, 400]);
    const whole = of(record);
    expect(whole.ok && whole.made.range.sessions.at(-1)).toBe(756);
  });
});

describe('the evidence', () => {
  it('of returns as published is worth no more on average the day after, whatever they were before', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(record.length - 1), { maxLength: 60 }), (days) => {
        const before = days.reduce(
          (evidence: EvidenceAgainst, day) => afterDay(evidence, record[day]!, published),
          NO_EVIDENCE,
        );
        let sum = 0;
        for (const one of record) sum += worthOf(afterDay(before, one, published));
        expect(sum / record.length).toBeLessThanOrEqual(worthOf(before) * (1 + 1e-9));
      }),
      { numRuns: 50 },
    );
  });

  it('is never worth less than nothing, and one day cannot decide', () => {
    const crash = worthOf(afterDay(NO_EVIDENCE, -1, published));
    expect(crash).toBeLessThan(2);
    expect(worthOf(afterDay(NO_EVIDENCE, 1, published))).toBeGreaterThan(0);
  });

  it.each(NULL_WORLDS)('calls at most 1 in 20 worse while the record holds: $name', (world) => {
    const { amber, red } = countAlarms(world, { days: 756, runs: 200, seed: 1 });
    // 1 in 20 and 1 in 5 of 200, and what luck adds in one of a thousand such counts.
    expect(red).toBeLessThanOrEqual(20);
    expect(amber).toBeLessThanOrEqual(58);
    expect(amber).toBeGreaterThanOrEqual(red);
  });

  it('finds a strategy that loses three times what it earned, within two years', () => {
    const delays = delayOf(NULL_WORLDS[0]!, { after: 0, days: 504, sharpe: -3, runs: 50, seed: 1 });
    expect(delays.filter(Number.isFinite).length).toBeGreaterThanOrEqual(45);
  });
});

const NOT_JUDGED: Judgement = { state: 'green', evidence: NO_EVIDENCE, last: null };

describe('the tripwire', () => {
  const bad: PublishedReturns = { low: -0.04, high: 0.04, mean: 0.001, deviation: 0.01, varianceRatio: 1 };
  const day = (n: number, equity: number, follows = true): ClosedDay => ({
    date: addDays(isoDate(2026, 1, 1), n) as IsoDate,
    equity,
    at: `${n}`,
    follows,
  });
  const days = (returns: readonly number[], { from = 0, equity = 1e9, follows = true } = {}): ClosedDay[] => {
    let value = equity;
    return returns.map((one, i) => day(from + i, (value *= 1 + one), follows));
  };
  const judge = (list: readonly ClosedDay[], before: Judgement = NOT_JUDGED) =>
    list.reduce((state, one) => judgeDay(state, one, bad), before);
  const falling = Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? -0.02 : 0.004));

  it('turns from green to amber to red, and stays red however well it goes on', () => {
    const states = days(falling).map((_, i, list) => judge(list.slice(0, i + 1)).state);
    expect([...new Set(states)]).toEqual(['green', 'amber', 'red']);
    const red = judge(days(falling));
    const better = days(
      Array.from({ length: 200 }, () => 0.03),
      { from: 100 },
    );
    expect(judge(better, red)).toMatchObject({ state: 'red', evidence: red.evidence });
  });

  it('amber does not come and go from day to day: it ends where no evidence is left', () => {
    const seen = days(falling);
    const first = seen.findIndex((_, i) => judge(seen.slice(0, i + 1)).state === 'amber');
    let state = judge(seen.slice(0, first + 1));
    const told: string[] = [];
    let equity = state.last!.equity;
    for (let n = 0; n < 400; n++) {
      equity *= 1 + (n % 2 === 0 ? 0.012 : -0.006);
      state = judgeDay(state, day(200 + n, equity), bad);
      if (told.at(-1) !== state.state) told.push(state.state);
    }
    expect(told).toEqual(['amber', 'green']);
  });

  it('a day judged again changes nothing, nor does an earlier one', () => {
    const once = judge(days(falling));
    expect(judge(days(falling), once)).toBe(once);
  });

  it('only a day after one on which it followed its strategy in full counts', () => {
    const paused = judge(days(falling, { follows: false }));
    expect(paused).toMatchObject({ state: 'green', evidence: NO_EVIDENCE });
    expect(judge([day(99, 1), day(100, 0.5)], paused).evidence.days).toBe(1);
  });

  it('money that comes in or goes out is no return', () => {
    const [before, put] = [day(0, 1_000e6), { ...day(1, 1_515e6), flowFactor: 1.5 }];
    const [, plain] = [before, day(1, 1_010e6)];
    expect(judge([before, put]).evidence).toEqual(judge([before, plain]).evidence);
  });
});
