import { expect, it } from 'vitest';
import { AAA, openOrder } from '#tests/support/engine/open-order.ts';
import { ZERO_QUANTITY, toQuantity } from '#units/quantity.ts';
import { listedAsBooked } from './listed-as-booked.ts';

const ORDER = openOrder({ status: 'working' });
const listed = (...reports: readonly { status: 'working' | 'filled' | 'attention'; filled: number }[]) =>
  listedAsBooked(
    reports.map(() => ORDER),
    (
      (next) => () =>
        next.shift()
    )(reports.map(({ status, filled }) => ({ status, filled: toQuantity(filled) }))),
  ).has(AAA);

it('names an instrument only while every order of it is listed as working, and filled no further than booked', () => {
  const calm = { status: 'working', filled: 0 } as const;
  expect(ORDER.filled).toBe(ZERO_QUANTITY);
  expect([listed(calm), listed(calm, calm)]).toEqual([true, true]);
  expect(listed(calm, { ...calm, filled: 1 })).toBe(false);
  expect(listed({ ...calm, status: 'filled' })).toBe(false);
  expect(listedAsBooked([ORDER], () => undefined).size).toBe(0);
});
