import { expect, test } from 'vitest';
import type { FeeAccrual } from '#contract/fees.ts';
import { accrualNow } from './accrual-now.ts';

const READ: FeeAccrual = {
  deployment: 'd',
  number: 2,
  period_start: '2026-04-01T00:00:00Z',
  period_end: '2026-05-01T00:00:00Z',
  as_of: '2026-04-10T14:00:00Z',
  opening_high_water_mark: 10_000,
  capital: 10_000,
  net_flow: 0,
  settled_result: 100,
  adjusted_high_water_mark: 10_000,
  equity: 10_150,
  fee_percent: 30,
  accrued: { profit: 100, fee: 30 },
  if_closed: { gross: 10_150, profit: 150, fee: 45, net: 10_105 },
};
const now = { equity: 10_400, total_pnl: 250, investment_amount: 10_000, as_of: '2026-04-10T14:00:02Z' };

test('the fee is that of the value beside it, and not of an earlier look', () => {
  expect(accrualNow(READ, now)).toMatchObject({
    as_of: now.as_of,
    equity: 10_400,
    accrued: { profit: 250, fee: 75 },
    if_closed: { gross: 10_400, profit: 400, fee: 120, net: 10_280 },
  });
});

test('at the moment of the answer it is the answer', () => {
  const { equity, settled_result: total_pnl, capital: investment_amount, as_of } = READ;
  expect(accrualNow(READ, { equity, total_pnl, investment_amount, as_of })).toEqual(READ);
});

test('whoever may not be charged accrues nothing at any value', () => {
  expect(accrualNow({ ...READ, fee_percent: 0 }, now)).toMatchObject({
    accrued: { fee: 0 },
    if_closed: { fee: 0, net: 10_400 },
  });
});

test('a deposit that the answer does not know of yet leaves its figures together', () => {
  expect(accrualNow(READ, { ...now, investment_amount: 12_000 })).toBe(READ);
});
