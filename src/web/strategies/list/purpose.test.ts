import { expect, test } from 'vitest';
import { onShelves, purposeOf } from './purpose.ts';

const trend = { risk_score: 4, strategy_type: 'trend_following', asset_class: 'equity' } as const;

test('a low score comes before how a strategy decides', () => {
  expect(purposeOf({ ...trend, risk_score: 2 })).toBe('calm');
  expect(purposeOf(trend)).toBe('steps_aside');
  expect(purposeOf({ ...trend, asset_class: 'options' })).toBe('income');
  expect(purposeOf({ ...trend, strategy_type: 'arbitrage' })).toBe('comes_back');
  expect(purposeOf({ ...trend, strategy_type: 'deep_learning' })).toBe('picks');
});

test('every strategy stands on one shelf, and empty shelves are not shown', () => {
  const shelves = onShelves([trend, { ...trend, risk_score: 1 }, trend]);
  expect(shelves.map(({ purpose, strategies }) => [purpose, strategies.length])).toEqual([
    ['calm', 1],
    ['steps_aside', 2],
  ]);
});
