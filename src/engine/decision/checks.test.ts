import { expect, test } from 'vitest';
import { REFUSAL_CODES } from '../order/order.ts';
import { checksOf, DECISION_CHECKS } from './checks.ts';

const results = (...told: Parameters<typeof checksOf>) =>
  Object.fromEntries(checksOf(...told).map(({ check, result }) => [check, result]));

test('what was ordered passed everything, and a limit that made it smaller is named', () => {
  const ordered = { isOrdered: true, isSettled: false };
  expect(new Set(Object.values(results([], ordered)))).toEqual(new Set(['passed']));
  expect(results(['max_allocation'], ordered)).toMatchObject({ allocation: 'limited', cash: 'passed' });
});

test('what stopped it is named, what came before it passed, what would have come after was not looked at', () => {
  for (const code of REFUSAL_CODES) {
    const made = checksOf([code], { isOrdered: false, isSettled: false });
    const place = made.findIndex((one) => one.code === code);
    const { result } = made[place]!;
    expect(made.slice(0, place).every((one) => one.result === 'passed')).toBe(true);
    if (result === 'limited') continue;
    expect(made.slice(place + 1).every((one) => one.result === 'not_reached')).toBe(true);
  }
});

test('where nothing had to be traded, nothing after the size was looked at', () => {
  const made = results([], { isOrdered: false, isSettled: true });
  expect(made).toMatchObject({ size: 'passed', worth_trading: 'not_reached', cash: 'not_reached' });
  expect(Object.keys(made)).toEqual([...DECISION_CHECKS]);
});
