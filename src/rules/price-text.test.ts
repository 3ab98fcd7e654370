import { expect, it } from 'vitest';
import { priceText } from './price-text.ts';

it('writes a broken price with two decimals at least, and no decimals where there are none', () => {
  expect([188.2, 44, 1.10234, 40_123.5, 0.000_012].map((price) => priceText(price, 'USD'))).toEqual([
    '$188.20',
    '$44',
    '$1.10234',
    '$40,123.50',
    '$0.000012',
  ]);
});

it('names another currency after the number, and none when none is given', () => {
  expect(priceText(150.125, 'JPY')).toBe('150.125 JPY');
  expect(priceText(99.5)).toBe('99.50');
});
