import { expect, test } from 'vitest';
import { performanceScore, scoreOf } from './lighthouse-score.ts';

test('a value at p10 scores 90, one at the median 50, and nothing takes no time at all', () => {
  const curve = { p10: 2_500, median: 4_000 };
  expect(scoreOf(2_500, curve)).toBeCloseTo(0.9, 4);
  expect(scoreOf(4_000, curve)).toBeCloseTo(0.5, 4);
  expect(scoreOf(0, curve)).toBe(1);
});

test('the five measures weigh a hundred together', () => {
  const load = { fcp: 0, lcp: 0, tbt: 0, cls: 0, bytes: 0, scriptBytes: 0, largest: '', moved: [] };
  expect(performanceScore(load)).toBe(100);
  expect(performanceScore({ ...load, tbt: 600 })).toBeCloseTo(85, 3);
});
