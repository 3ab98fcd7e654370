import { expect, it } from 'vitest';
import { toMicro } from '#units/money.ts';
import { dollars } from './dollars.ts';

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
