// What a late execution has missed: splits that were applied to the position meanwhile, and dividends and swaps that were
// paid without it.
import type { Instant, IsoDate } from '#units/instant.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import type { CorporateAction } from '../market/corporate-action.ts';
import { session, tradingDaysSince } from '../market/calendar.ts';
import type { CalendarId } from '../market/instrument.ts';
import { actionsSince, type AppliedAction, ratioOf } from '../market/split-ratio.ts';

/** The actions of one kind that a deployment's position already includes. */
export type AppliedSessions = {
  /** The last session whose end of day has been processed for all deployments; null before the first. */
  readonly processed: IsoDate | null;
  /** The sessions whose action was applied to this deployment's own position. */
  readonly sessions: ReadonlySet<IsoDate>;
};

type Execution = { readonly calendar: CalendarId; readonly at: Instant };

/** What a session still to be processed brings will include the execution by itself. */
function isApplied(date: IsoDate, { processed, sessions }: AppliedSessions): boolean {
  return (processed !== null && date <= processed) || sessions.has(date);
}

function applied(
  actions: readonly AppliedAction[],
  appliedSessions: AppliedSessions,
): readonly AppliedAction[] {
  return actions.filter(({ sessionDate }) => isApplied(sessionDate, appliedSessions));
}

/** How many current units one unit of the execution is. */
export function splitRatioOf(
  actions: readonly CorporateAction[],
  execution: Execution,
  appliedSessions: AppliedSessions,
): number {
  return ratioOf(applied(actionsSince(actions, 'split', execution), appliedSessions));
}

export type MissedPayment = {
  readonly type: 'dividend' | 'swap';
  readonly sessionDate: IsoDate;
  readonly perUnit: number;
  /** Signed like the trade, in the units of that session. */
  readonly entitled: Quantity;
};

/** `traded` is signed, in the shares of the execution. */
export function missedDividends(
  actions: readonly CorporateAction[],
  execution: Execution & { readonly traded: number },
  appliedSessions: AppliedSessions,
): readonly MissedPayment[] {
  const splits = actionsSince(actions, 'split', execution);
  const dividends = applied(actionsSince(actions, 'dividend', execution), appliedSessions);
  return dividends.map(({ sessionDate, amount }) => {
    const before = splits.filter((split) => split.sessionDate < sessionDate);
    const entitled = quantity(roundHalfEven(execution.traded * ratioOf(before)));
    return { type: 'dividend', sessionDate, perUnit: amount, entitled };
  });
}

/** Of a trade that replaces another: what it is paid more or less, by session. */
export function netDividends(missed: readonly MissedPayment[]): readonly MissedPayment[] {
  const sessions = new Map<IsoDate, MissedPayment>();
  for (const dividend of missed) {
    const known = sessions.get(dividend.sessionDate);
    const entitled = quantity((known?.entitled ?? 0) + dividend.entitled);
    sessions.set(dividend.sessionDate, { ...dividend, entitled });
  }
  return [...sessions.values()].filter(({ entitled }) => entitled !== 0);
}

/** Signed, of one instrument. */
export type LateTrade = { readonly at: Instant; readonly units: number };

/** The sessions that the position was swapped over without these trades, oldest first, with the units of those until then. */
export function missedSwapSessions(
  calendar: CalendarId,
  trades: readonly LateTrade[],
  appliedSessions: AppliedSessions,
): readonly { readonly date: IsoDate; readonly units: Quantity }[] {
  const { processed, sessions } = appliedSessions;
  const last = [...sessions, ...(processed === null ? [] : [processed])].toSorted().at(-1);
  const first = trades.map(({ at }) => at).toSorted((a, b) => a - b)[0];
  const missed: { date: IsoDate; units: Quantity }[] = [];
  if (last === undefined || first === undefined) return missed;
  for (const date of tradingDaysSince(calendar, first, last)) {
    if (!isApplied(date, appliedSessions)) continue;
    const { closesAt } = session(calendar, date)!;
    const before = trades.filter(({ at }) => at <= closesAt);
    const units = quantity(before.reduce((sum, trade) => sum + trade.units, 0));
    if (units !== 0) missed.push({ date, units });
  }
  return missed;
}

/**
 * The swap of one session on `units` more than were swapped: interest differs for what is held and for what is owed, so it
 * counts what the whole position pays more.
 */
export function missedSwap(
  { date, units }: { readonly date: IsoDate; readonly units: Quantity },
  swapped: Quantity,
  /** Dollars per unit of a position of this sign. */
  perUnitOf: (held: Quantity) => number,
): MissedPayment {
  const paid = (held: Quantity) => (held === 0 ? 0 : held * perUnitOf(held));
  const more = paid(quantity(swapped + units)) - paid(swapped);
  return { type: 'swap', sessionDate: date, perUnit: more / units, entitled: units };
}
