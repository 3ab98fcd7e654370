// The splits and dividends of one share, with the row that each was looked up for: one table for every backtest over the
// same bars.
import type { CorporateAction } from '../../market/corporate-action.ts';

/** Oldest first; for each the row after whose session it takes effect, -1 for none, once it has been looked up. */
export type ActionTable = { readonly actions: readonly CorporateAction[]; readonly rows: Int32Array };

export function actionTable(given: readonly CorporateAction[]): ActionTable {
  let isSorted = true;
  for (let i = 1; i < given.length; i++) isSorted &&= given[i - 1]!.exDate <= given[i]!.exDate;
  // What takes effect on the same day keeps its order.
  const actions = isSorted
    ? given
    : [...given].sort((a, b) => Number(a.exDate > b.exDate) - Number(a.exDate < b.exDate));
  return { actions, rows: new Int32Array(actions.length).fill(UNKNOWN) };
}

export const UNKNOWN = -2;
