import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FeeAccrual, FeeBill } from '#contract/fees.ts';
import { feeBill } from '#rules/fees/fee-bill.ts';
import { FIRST_FEE_BILL } from '#tests/support/first-fee-bill.ts';
import { fromMicro, type Micro, subtract, toMicro } from '#units/money.ts';
import { recomputeFeeAccrual, recomputeFeeBill } from './recompute-fee-bill.ts';

const BILL: FeeBill = {
  ...FIRST_FEE_BILL,
  id: 'b',
  deployment: 'd',
  strategy_name: 'Compass Trend',
  number: 1,
  period_start: '2026-03-02T00:00:00Z',
  period_end: '2026-04-01T00:00:00Z',
  due_at: '2026-04-06T00:00:00Z',
  billed_at: '2026-04-01T00:00:02Z',
};

test('a bill that was made by the rule agrees', () => {
  expect(recomputeFeeBill(BILL)).toEqual([]);
});

test('a bill of a client who may not be charged agrees at a rate of nothing, and differs if it asks for anything', () => {
  const uncharged = { ...BILL, fee_percent: 0, fee: 0 };
  expect(recomputeFeeBill(uncharged)).toEqual([]);
  expect(recomputeFeeBill({ ...uncharged, fee: BILL.fee })).toEqual([
    { figure: 'Fee', billed: toMicro(BILL.fee), computed: 0 },
  ]);
});

test('a cent too much is named with both figures', () => {
  expect(recomputeFeeBill({ ...BILL, fee: 300.16 })).toEqual([
    { figure: 'Fee', billed: toMicro(300.16), computed: toMicro(300.15) },
  ]);
});

test('a profit that is no longer there at the cut-off is not billed', () => {
  const figures = recomputeFeeBill({ ...BILL, worth: 10_400 }).map(({ figure }) => figure);
  expect(figures).toEqual(['Value at the cut-off', 'Profit', 'Fee', 'Next high-water mark']);
});

test('every bill of the rule agrees after its way through dollars', () => {
  const amount = fc.integer({ min: 0, max: 2_000_000_000_000 }).map((value) => value as Micro);
  fc.assert(
    fc.property(
      fc.record({
        highWaterMark: amount,
        capitalBefore: amount,
        capital: amount,
        settledResult: fc.integer({ min: -2_000_000_000_000, max: 2_000_000_000_000 }).map((v) => v as Micro),
        worth: fc.option(amount),
      }),
      (figures) => {
        const made = feeBill(figures);
        const dollars = (value: Micro | null) => (value === null ? null : fromMicro(value));
        const shown: FeeBill = {
          ...BILL,
          opening_high_water_mark: fromMicro(figures.highWaterMark),
          capital: fromMicro(figures.capital),
          net_flow: fromMicro(subtract(figures.capital, figures.capitalBefore)),
          settled_result: fromMicro(figures.settledResult),
          worth: dollars(figures.worth),
          adjusted_high_water_mark: fromMicro(made.adjustedMark),
          closing_value: fromMicro(made.closingValue),
          profit: fromMicro(made.profit),
          fee: fromMicro(made.fee),
          next_high_water_mark: fromMicro(made.nextHighWaterMark),
        };
        expect(recomputeFeeBill(shown)).toEqual([]);
      },
    ),
  );
});

const ACCRUAL: FeeAccrual = {
  deployment: 'd',
  number: 2,
  period_start: '2026-04-01T00:00:00Z',
  period_end: '2026-05-01T00:00:00Z',
  as_of: '2026-04-20T20:00:00Z',
  opening_high_water_mark: 11_000.5,
  capital: 10_000,
  net_flow: 0,
  settled_result: 1_200.5,
  adjusted_high_water_mark: 11_000.5,
  equity: 11_700.5,
  fee_percent: 30,
  accrued: { profit: 200, fee: 60 },
  if_closed: { gross: 11_700.5, profit: 700, fee: 210, net: 11_490.5 },
};

test('a running period agrees, and a fee that is not the rule is named', () => {
  expect(recomputeFeeAccrual(ACCRUAL)).toEqual([]);
  expect(recomputeFeeAccrual({ ...ACCRUAL, accrued: { profit: 200, fee: 59 } })).toEqual([
    { figure: 'Accrued fee', billed: toMicro(59), computed: toMicro(60) },
  ]);
  const figures = recomputeFeeAccrual({ ...ACCRUAL, equity: 11_600.5 }).map(({ figure }) => figure);
  expect(figures).toEqual(['Fee at a close', 'Left after the fee']);
});
