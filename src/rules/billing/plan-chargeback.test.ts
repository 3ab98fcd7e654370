import { expect, test } from 'vitest';
import { DAY_MS, instant } from '#units/instant.ts';
import { toMicro } from '#units/money.ts';
import { planChargeback } from './plan-chargeback.ts';

const START = instant(0);
const END = instant(30 * DAY_MS);
const of = (price: number) => ({ price: toMicro(price), start: START, end: END });

test.each([
  ['ends the period that it paid for', 79, 0, 79, 15, true, 0, 39.5],
  ['leaves what other payments had put in', 79, 0, 50, 0, true, 29, 50],
  ['takes the credit that came from it too', 29, 50, 79, 0, true, 0, 79],
  ['leaves credit that came from elsewhere', 29, 60, 79, 0, true, 10, 79],
])('a payment that was taken back %s', (_, price, credit, amount, day, isOver, left, lost) => {
  expect(
    planChargeback({
      amount: toMicro(amount),
      until: END,
      current: of(price),
      credit: toMicro(credit),
      now: instant(day * DAY_MS),
    }),
  ).toEqual({ isOver, creditLeft: toMicro(left), lost: toMicro(lost) });
});

test('a payment of a period that is over leaves the plan that runs, and takes credit', () => {
  const running = { price: toMicro(79), start: END, end: instant(60 * DAY_MS) };
  expect(
    planChargeback({
      amount: toMicro(79),
      until: END,
      current: running,
      credit: toMicro(20),
      now: instant(40 * DAY_MS),
    }),
  ).toEqual({ isOver: false, creditLeft: toMicro(0), lost: toMicro(20) });
});
