// How many units of an instrument one has become through its splits, between two moments or two days.
import type { Instant, IsoDate } from '#units/instant.ts';
import { previousTradingDay, session } from './calendar.ts';
import type { CorporateAction } from './corporate-action.ts';
import type { CalendarId } from './instrument.ts';

/** A split or dividend with the last session that traded without it. */
export type AppliedAction = { readonly sessionDate: IsoDate; readonly amount: number };

/** The events of one kind that apply to a position traded at `at` and still held. */
export function actionsSince(
  actions: readonly CorporateAction[],
  kind: CorporateAction['kind'],
  { calendar, at }: { readonly calendar: CalendarId; readonly at: Instant },
): readonly AppliedAction[] {
  return actions.flatMap((action) => {
    if (action.kind !== kind) return [];
    const sessionDate = previousTradingDay(calendar, action.exDate);
    return at <= session(calendar, sessionDate)!.closesAt ? [{ sessionDate, amount: action.amount }] : [];
  });
}

/** How many units one unit has become. */
export function ratioOf(splits: readonly AppliedAction[]): number {
  return splits.reduce((ratio, { amount }) => ratio * amount, 1);
}

/** How many units of `to` one of `from` has become; each day counts the splits that it opened with. */
export function ratioBetween(actions: readonly CorporateAction[], from: IsoDate, to: IsoDate): number {
  if (to < from) return 1 / ratioBetween(actions, to, from);
  const between = actions.filter(({ kind, exDate }) => kind === 'split' && exDate > from && exDate <= to);
  return between.reduce((ratio, { amount }) => ratio * amount, 1);
}
