import { expect, it } from 'vitest';
import type { IsoDate } from '#units/instant.ts';
import { actionColumns } from './action-columns.ts';
import type { CorporateAction } from './corporate-action.ts';

const action = (kind: CorporateAction['kind'], exDate: string, amount: number): CorporateAction => {
  return { kind, exDate: exDate as IsoDate, amount };
};

it('are in the order of their days, and of the list within a day', () => {
  const [older, first, second] = [
    action('dividend', '1970-01-03', 0.5),
    action('split', '1970-01-05', 2),
    action('dividend', '1970-01-05', 0.25),
  ];
  const columns = {
    hasSplit: true,
    days: Int32Array.of(2, 4, 4),
    splits: Uint8Array.of(0, 1, 0),
    amounts: Float64Array.of(0.5, 2, 0.25),
  };
  expect(actionColumns([older, first, second])).toEqual(columns);
  expect(actionColumns([first, second, older])).toEqual(columns);
});
