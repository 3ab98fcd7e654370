import { expect, it } from 'vitest';
import { toMicro } from '#units/money.ts';
import { dollars, exactDollars } from './dollars.ts';

it('writes dollars with their cents only where there are some', () => {
  expect([1_234_567, 0.5, -1_000.05, 0, -0.001, 999.999].map((amount) => dollars(toMicro(amount)))).toEqual([
    '$1,234,567',
    '$0.50',
    '-$1,000.05',
    '$0',
    '$0',
    '$1,000',
  ]);
});

it('writes exact dollars with at least their cents', () => {
  expect(
    [11_000.5, 0, -1_234.123456, 0.1, 0.000001, 1_000_000, 2.3004].map((amount) =>
      exactDollars(toMicro(amount)),
    ),
  ).toEqual(['$11,000.50', '$0.00', '-$1,234.123456', '$0.10', '$0.000001', '$1,000,000.00', '$2.3004']);
});
