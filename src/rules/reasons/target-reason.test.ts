import { expect, test } from 'vitest';
import type { ConditionTest, TargetReason } from '#engine/strategy/reasons/target-reason.ts';
import type { Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { columnWords, figure, targetReason } from './target-reason.ts';

const CLOSE = instant(Date.UTC(2026, 0, 12, 21));
const COLUMNS = {
  features: {
    rsi: { indicator: 'rsi', length: 2 },
    trend: { indicator: 'sma', length: 200 },
    year: { indicator: 'roc', length: 252 },
  },
  model: { inputs: ['rsi'], scaling: 'none', output: 'score', windows: [] },
} as const;

const say = (reason: object, at = CLOSE) => targetReason({ ...reason, at } as TargetReason, COLUMNS, CLOSE);

const compared = (
  left: string,
  op: ConditionTest['op'],
  right: string | number,
  values: [number | null, number | null],
  holds: boolean | null,
  negated?: true,
): ConditionTest => ({
  op,
  left,
  right,
  leftValue: values[0],
  rightValue: values[1],
  holds,
  ...(negated && { negated }),
});

test('a signal is told by its numbers and thresholds', () => {
  const tests = [
    compared('rsi', 'below', 10, [6.3, 10], true),
    compared('close', 'above', 'trend', [51.2, 48.9], true),
  ];
  expect(say({ code: 'signal', signal: 'enterLong', holds: true, tests })).toBe(
    'Buys: the relative strength index over 2 days (6.3) is below 10 and the close (51.20) is above the 200-day average (48.90).',
  );
});

test('of what does not hold only the parts that fail are told, a negated one as it stands', () => {
  const tests = [
    compared('rsi', 'below', 10, [44, 10], false),
    compared('close', 'above', 'trend', [51.2, 48.9], true),
    compared('close', 'below', 'trend', [40, 48.9], false, true),
  ];
  expect(say({ code: 'signal', signal: 'enterLong', holds: false, tests })).toBe(
    'Not bought: the relative strength index over 2 days (44) is not below 10 and the close (40) is below the 200-day average (48.90).',
  );
});

test('a missing number is said, and a reason of an earlier day names it', () => {
  const tests = [compared('trend', 'above', 1, [null, 1], null)];
  expect(say({ code: 'signal', signal: 'exitLong', holds: false, tests })).toBe(
    'Kept: the 200-day average cannot be compared with 1 yet.',
  );
  const before = instant(Date.UTC(2026, 0, 5, 21));
  expect(say({ code: 'warming_up' }, before)).toBe('Not enough history yet, on 5 January 2026.');
});

test.each<[object, string]>([
  [
    { code: 'ranked', by: 'year', value: 0.1234, place: 3, of: 20, top: 5, bottom: 0 },
    'Ranked 3 of 20 by change over 252 days (12.3%): the highest 5 are held.',
  ],
  [
    { code: 'ranked', by: 'score', value: 0.01, place: 9, of: 9, top: 2, bottom: 2 },
    'Ranked 9 of 9 by model’s score (0.0100): the highest 2 are held and the lowest 2 sold short.',
  ],
  [
    { code: 'exit', exit: 'stop', limit: 5, value: 5.31 },
    'Sells: lost 5.3% since its entry, past the strategy’s own stop of 5%.',
  ],
  [
    { code: 'exit', exit: 'max_bars', limit: 20, value: 20 },
    'Sells: held for 20 trading days, and 20 are the most.',
  ],
  [
    {
      code: 'spread',
      first: 'AAA' as Symbol,
      second: 'BBB' as Symbol,
      value: -2.1,
      enterAt: 2,
      exitAt: 0.5,
      stopAt: 4,
    },
    'AAA is 2.10 standard deviations cheap against BBB: entered beyond 2, left within 0.5, given up beyond 4.',
  ],
  [{ code: 'not_eligible', cause: 'stale', tests: [] }, 'Not ranked: it has had no price for ten days.'],
  [
    { code: 'volatility', length: 63, percent: 18.24 },
    'Sized by its volatility: 18.2% a year, measured over 63 days.',
  ],
])('%j', (reason, words) => {
  expect(say(reason)).toBe(words);
});

test('a threshold is written in the unit of what it is compared with', () => {
  const tests = [compared('year', 'above', 0.05, [0.2, 0.05], true)];
  expect(say({ code: 'signal', signal: 'enterLong', holds: true, tests })).toBe(
    'Buys: the change over 252 days (20.0%) is above 5.0%.',
  );
  expect(figure(1234.56, 'close', COLUMNS)).toBe('1,235');
});

test('what acts on the whole rule is told with what it saw', () => {
  const regime = { code: 'regime', symbol: 'SPY', otherwise: 'cash' };
  const above = compared('close', 'above', 'trend', [51.2, 48.9], true);
  const below = compared('close', 'above', 'trend', [47, 48.9], false);
  expect(say({ ...regime, holds: true, tests: [above] })).toBe(
    'SPY: the close (51.20) is above the 200-day average (48.90), so these rules count.',
  );
  expect(say({ ...regime, holds: false, tests: [below] })).toBe(
    'SPY: the close (47) is not above the 200-day average (48.90), so nothing is held.',
  );
  expect(say({ ...regime, holds: false, otherwise: 'rule', tests: [below] })).toMatch(
    /so the second set of rules counts\.$/,
  );
  expect(say({ ...regime, holds: null, tests: [] })).toBe('SPY cannot be judged yet, so nothing is held.');
  expect(say({ code: 'basket', turnover: 1_250_000, place: 3, most: 20 })).toBe(
    'Number 3 by turnover (1,250,000 a bar): the first 20 take part.',
  );
  expect(say({ code: 'basket', turnover: null, place: null, most: 20 })).toBe(
    'Takes no part: nothing is known of its turnover.',
  );
  expect(say({ code: 'conviction', by: 'year', value: 0.12, maxPercent: 30 })).toBe(
    'Sized by its change over 252 days (12.0%), at most 30% of the money.',
  );
  expect(say({ code: 'band', percent: 2, wanted: 0.25, held: 0.241 })).toBe(
    'Left as it is: 24.1% of the money where 25.0% is the target, less than 2 points apart.',
  );
});

test('weeks, months and arithmetic are told in words', () => {
  const columns = {
    features: {
      trend: { indicator: 'sma', length: 40, every: 'week' },
      year: { indicator: 'roc', length: 12, every: 'month', lag: 1 },
      gap: { indicator: 'combine', op: 'spread', left: 'close', right: 'trend' },
      twice: { indicator: 'combine', op: 'ratio', left: 'gap', right: 2 },
    },
  } as const;
  expect(columnWords('trend', columns)).toBe('40-week average');
  expect(columnWords('year', columns)).toBe('change over 12 whole months, 1 month before');
  expect(columnWords('gap', columns)).toBe('distance of the close from the 40-week average');
  expect(columnWords('twice', columns)).toBe(
    'ratio of the distance of the close from the 40-week average to 2',
  );
  expect(figure(0.0312, 'gap', columns)).toBe('3.1%');
});
