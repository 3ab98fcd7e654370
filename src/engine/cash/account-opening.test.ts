import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ExecutionId, Symbol } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { micro, toMicro } from '#units/money.ts';
import { quantity } from '#units/quantity.ts';
import { accountOpening, type HeldPosition, isBeforeOpening } from './account-opening.ts';

const NOW = instant(1_000_000);
const held = (symbol: string | null, units: number, id = 'C1'): HeldPosition => ({
  symbol: symbol as Symbol | null,
  brokerInstrumentId: id,
  quantity: quantity(units),
});
const READING = {
  before: [] as readonly HeldPosition[],
  after: [] as readonly HeldPosition[],
  executions: [],
  cash: toMicro(500),
  currency: 'USD',
  now: NOW,
  booked: null,
};

it('takes all holdings as they are, those outside the catalogue by the id of the broker', () => {
  const positions = [held('AAA', 40), held('AAA', 2), held(null, -5, 'C9'), held('BBB', 0)];
  const executions = [{ executionId: 'E1' as ExecutionId, at: NOW }];
  expect(accountOpening({ ...READING, before: positions, after: positions, executions })).toEqual({
    at: NOW,
    cash: toMicro(500),
    currency: 'USD',
    holdings: [
      { symbol: 'AAA', units: 42 },
      { symbol: 'C9', units: -5 },
    ],
    executions: ['E1'],
  });
});

it('waits while positions change, in whatever way', () => {
  const lists = fc.array(fc.tuple(fc.constantFrom('AAA', 'BBB', 'CCC'), fc.integer({ min: -3, max: 3 })));
  fc.assert(
    fc.property(lists, lists, (one, other) => {
      const before = one.map(([symbol, units]) => held(symbol, units));
      const after = other.map(([symbol, units]) => held(symbol, units));
      const sum = (list: readonly HeldPosition[], symbol: string) =>
        list.filter((row) => row.symbol === symbol).reduce((total, row) => total + row.quantity, 0);
      const isCalm = ['AAA', 'BBB', 'CCC'].every((symbol) => sum(before, symbol) === sum(after, symbol));
      const opening = accountOpening({ ...READING, before, after });
      expect(opening !== null).toBe(isCalm);
      for (const { symbol, units } of opening?.holdings ?? []) expect(units).toBe(sum(after, symbol));
    }),
  );
});

it('adopts no holdings where orders of ours have traded, and takes what they moved out of the cash', () => {
  const positions = [held('AAA', 40)];
  const opening = accountOpening({ ...READING, before: positions, after: positions, booked: micro(-200) });
  expect(opening).toMatchObject({ cash: toMicro(500) + 200, holdings: [], executions: [] });
});

it('includes an execution from before it that is listed late, and none that came at its instant', () => {
  expect(isBeforeOpening({ at: instant(NOW - 1) }, NOW)).toBe(true);
  expect(isBeforeOpening({ at: NOW }, NOW)).toBe(false);
  expect(isBeforeOpening({ at: instant(0) }, null)).toBe(false);
});
