import { expect, test } from 'vitest';
import { filledShare } from './risk-bars.ts';

test.each([
  ['volatility', 100],
  ['sharpe', 2],
  ['drawdown', 40],
  ['drawdown', -40],
] as const)('the %s bar is full at %d, half full at half of it', (figure, full) => {
  expect(filledShare(figure, full)).toBe(1);
  expect(filledShare(figure, full / 2)).toBe(0.5);
});

test('a bar is capped at full, and empty for negative values', () => {
  expect(filledShare('volatility', 250)).toBe(1);
  expect(filledShare('drawdown', -90)).toBe(1);
  expect(filledShare('sharpe', -0.7)).toBe(0);
});
