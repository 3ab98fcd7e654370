import { expect, test } from 'vitest';
import { rowsOf } from './plan-sweep.ts';
import { putInRunOrder } from './run-order.ts';

const orderOf = (sets: readonly { readonly [path: string]: number }[]) => {
  const order = new Int32Array(sets.length);
  putInRunOrder(order, rowsOf(sets));
  return [...order];
};

test('puts sets with the same number of the place that varies most together, in their own order', () => {
  const sets = [
    { fast: 1, slow: 10 },
    { fast: 2, slow: 20 },
    { fast: 1, slow: 30 },
    { fast: 2, slow: 10 },
    { fast: 1, slow: 20 },
  ];
  expect(orderOf(sets)).toEqual([0, 3, 1, 4, 2]);
});

test('holds every set once, also where sets name nothing', () => {
  expect(orderOf([{}, {}, {}])).toEqual([0, 1, 2]);
  expect(orderOf([{ fast: 1 }, {}, { fast: 1 }])).toEqual([0, 2, 1]);
  expect(orderOf([])).toEqual([]);
});
