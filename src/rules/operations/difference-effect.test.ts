import { expect, test } from 'vitest';
import { quantity } from '#units/quantity.ts';
import { differenceEffect } from './difference-effect.ts';

test.each([
  [10, 9, 'exits wait'],
  [10, 0, 'exits wait'],
  [10, -1, 'exits wait'],
  [10, 11, 'nothing waits'],
  [-10, -9, 'exits wait'],
  [-10, -11, 'nothing waits'],
  [0, 5, 'nothing waits'],
  [0, -5, 'nothing waits'],
])('we say %d, the broker %d: %s', (ours, theirs, effect) =>
  expect(differenceEffect({ kind: 'unexplained', ours: quantity(ours), theirs: quantity(theirs) })).toBe(
    effect,
  ),
);

test('what was traded externally makes exits wait, and what a broker took back does not', () => {
  const held = { ours: quantity(10), theirs: quantity(-5) };
  expect(differenceEffect({ kind: 'external_trade', ...held })).toBe('exits wait');
  expect(differenceEffect({ kind: 'shortfall', ...held })).toBe('nothing waits');
});
