import { previousTradingDay, session } from '#engine/market/calendar.ts';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { CalendarId, Instrument } from '#engine/market/instrument.ts';
import { findAppliedSplits } from '#records/holding-events.ts';
import type { Transaction } from '#records/database.ts';
import type { TradingDeployment } from '#records/trading-deployments.ts';
import type { Instant, IsoDate } from '#units/instant.ts';
import type { TradingContext } from './trading-context.ts';

type Split = { readonly night: IsoDate; readonly amount: number };

/** The splits that what was traded at `at` has lived through, each with the last session that traded the old shares. */
export function splitsSince(
  actions: readonly CorporateAction[],
  calendar: CalendarId,
  at: Instant,
): readonly Split[] {
  return actions.flatMap(({ kind, exDate, amount }) => {
    if (kind !== 'split') return [];
    const night = previousTradingDay(calendar, exDate);
    return at <= session(calendar, night)!.closesAt ? [{ night, amount }] : [];
  });
}

/** How many units one has become. */
export function ratioOf(splits: readonly Split[]): number {
  return splits.reduce((ratio, { amount }) => ratio * amount, 1);
}

/** How many units of `to` one of `from` has become; each day counts the splits that it opened with. */
export function ratioBetween(actions: readonly CorporateAction[], from: IsoDate, to: IsoDate): number {
  if (to < from) return 1 / ratioBetween(actions, to, from);
  const between = actions.filter(({ kind, exDate }) => kind === 'split' && exDate > from && exDate <= to);
  return between.reduce((ratio, { amount }) => ratio * amount, 1);
}

/**
 * How many units of what the deployment holds now one unit executed at `at` is. More or less than 1 only when the broker
 * told of the execution so late that a split had been applied meanwhile: a split yet to be applied counts it by itself.
 */
export async function splitRatioSince(
  trx: Transaction,
  { record, instrument, at }: { record: TradingDeployment; instrument: Instrument; at: Instant },
  { actions }: Pick<TradingContext, 'actions'>,
): Promise<number> {
  const { symbol, calendar } = instrument;
  const splits = splitsSince(actions.get(symbol) ?? [], calendar, at);
  if (splits.length === 0) return 1;
  const of = { deploymentId: record.id, connectionId: record.connectionId };
  const { passed, sessions } = await findAppliedSplits(trx, of, { symbol, calendar });
  return ratioOf(splits.filter(({ night }) => (passed !== null && night <= passed) || sessions.has(night)));
}
