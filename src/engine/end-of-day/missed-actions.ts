// What a late execution has missed: splits that were applied to the position meanwhile, and dividends that were paid
// without it.
import type { Instant, IsoDate } from '#units/instant.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import { roundHalfEven } from '#units/round.ts';
import type { CorporateAction } from '../market/corporate-action.ts';
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

/** An action still to be applied will include the execution by itself. */
function applied(
  actions: readonly AppliedAction[],
  { processed, sessions }: AppliedSessions,
): readonly AppliedAction[] {
  return actions.filter(
    ({ sessionDate }) => (processed !== null && sessionDate <= processed) || sessions.has(sessionDate),
  );
}

/** How many current units one unit of the execution is. */
export function splitRatioOf(
  actions: readonly CorporateAction[],
  execution: Execution,
  appliedSessions: AppliedSessions,
): number {
  return ratioOf(applied(actionsSince(actions, 'split', execution), appliedSessions));
}

export type MissedDividend = {
  readonly sessionDate: IsoDate;
  readonly perUnit: number;
  /** Signed like the trade, in the shares of that session. */
  readonly entitled: Quantity;
};

/** `traded` is signed, in the shares of the execution. */
export function missedDividends(
  actions: readonly CorporateAction[],
  execution: Execution & { readonly traded: number },
  appliedSessions: AppliedSessions,
): readonly MissedDividend[] {
  const splits = actionsSince(actions, 'split', execution);
  const dividends = applied(actionsSince(actions, 'dividend', execution), appliedSessions);
  return dividends.map(({ sessionDate, amount }) => {
    const before = splits.filter((split) => split.sessionDate < sessionDate);
    const entitled = quantity(roundHalfEven(execution.traded * ratioOf(before)));
    return { sessionDate, perUnit: amount, entitled };
  });
}

/** Of a trade that replaces another: what it is paid more or less, by session. */
export function netDividends(missed: readonly MissedDividend[]): readonly MissedDividend[] {
  const sessions = new Map<IsoDate, MissedDividend>();
  for (const dividend of missed) {
    const known = sessions.get(dividend.sessionDate);
    const entitled = quantity((known?.entitled ?? 0) + dividend.entitled);
    sessions.set(dividend.sessionDate, { ...dividend, entitled });
  }
  return [...sessions.values()].filter(({ entitled }) => entitled !== 0);
}
