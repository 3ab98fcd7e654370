import { expect, it } from 'vitest';
import { findState } from './check-days.ts';
import type { Snapshot } from './fold-bookings.ts';

const books = (entry: number, cost: number): Snapshot => ({
  entry,
  at: '2026-04-01T14:00:00.000Z',
  cash: 10_000,
  realized: 0,
  held: new Map([['GOLD', { units: 2, cost }]]),
  capital: 10_000,
  settled: 0,
});
const day = { cash: 10_000, held: { GOLD: { units: 2, price: 2_000 } } };

it('tells books apart that differ in their cost alone, as after a corrected price of a future', () => {
  const [before, after] = [books(1, 4_000), books(2, 3_990)];
  const costs = (cost: number) => (state: Snapshot) => state.held.get('GOLD')!.cost === cost;
  expect(findState([before, after], day, 0, costs(3_990))).toEqual({ index: 1, state: after });
  expect(findState([before, after], day, 0, costs(4_000))).toEqual({ index: 0, state: before });
  expect(findState([before, after], day, 1, costs(4_000))).toEqual({ index: 1, state: after });
});

it('gives the first with this cash and these holdings where none fits, for the difference to be named', () => {
  const all = [books(1, 4_000), books(2, 3_990)];
  expect(findState(all, day, 0, () => false)).toEqual({ index: 0, state: all[0] });
  expect(findState(all, { ...day, cash: 9_000 }, 0)).toBeNull();
});
