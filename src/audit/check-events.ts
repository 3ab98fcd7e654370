// Splits and dividends of holdings against the corporate actions of their instruments.
import type { Books, CorporateAction, Finding, Market, PositionEvent } from './rows.ts';

export function checkEvents({ events }: Books, { actions }: Market): Finding[] {
  return events.flatMap((row): Finding[] => {
    if (row.kind !== 'split' && row.kind !== 'dividend') return [];
    const amount = Number(row.kind === 'split' ? row.event.ratio : row.event.perUnit);
    const action = actionOf(row, actions);
    if (action !== undefined && Math.abs(action.amount - amount) <= 1e-9 * amount) return [];
    return [
      {
        kind: 'corporate action',
        row: `${row.kind} of ${row.symbol} after ${row.date}`,
        figure: 'amount',
        stored: action?.amount ?? null,
        recomputed: amount,
      },
    ];
  });
}

/** It takes effect after the last session before its ex-date. */
function actionOf({ symbol, kind, date }: PositionEvent, actions: readonly CorporateAction[]) {
  return actions
    .filter((one) => one.symbol === symbol && one.kind === kind && one.exDate > date)
    .toSorted((left, right) => (left.exDate < right.exDate ? -1 : 1))[0];
}
