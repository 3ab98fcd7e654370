// Which protective stops must be at the broker: one for each position that wants one, and none that could close more
// than the account holds. Placing one is an intent like any other; whether it may leave is checked when it is sent.
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, MINUTE_MS } from '#units/instant.ts';
import type { DeploymentState } from '../../deployment-state.ts';
import { type CommandedStatus, followsStrategy } from '../../lifecycle/effective-status.ts';
import { type CalendarExceptions, heldCalendar } from '../../market/calendar-exceptions.ts';
import { sessionAt, type TradingCalendar } from '../../market/calendar.ts';
import type { Instrument, InstrumentKind, Marks } from '../../market/instrument.ts';
import { attemptKey } from '../../order/client-order-id.ts';
import type { ApprovedOrder } from '../../order/order.ts';
import type { Position } from '../../portfolio/portfolio.ts';
import type { Limits } from '../../risk/limits.ts';
import {
  approveStop,
  canPlaceStop,
  closesTooMuch,
  isInStep,
  type ProtectiveStop,
  protectiveStop,
} from '../../risk/protective-stop.ts';
import { isProtective, type OpenOrder } from '../orders/open-order.ts';
import { isCooling } from './unprotected-position.ts';
import { isAboutToLeave } from '../orders/order-holds.ts';

/** The limits of the market and of the broker. */
export type StopTerms = {
  readonly instruments: ReadonlyMap<Symbol, Instrument>;
  /** The kinds for which the broker takes stops. */
  readonly kinds: readonly InstrumentKind[];
  /**
   * The broker's planned interruption begins soon: afterwards its lists leave out what was sent before. No stop stays there
   * over it, and none is sent.
   */
  readonly isResetNear: boolean;
};

/** Long enough to have the cancellation of a stop confirmed. */
export const RESET_IS_NEAR_MS = 10 * MINUTE_MS;

type Protected = { readonly holdings: ReadonlyMap<Symbol, Position>; readonly limits: Limits };

/** The stop that a position wants; null when it wants none. */
export function wantedStop(
  { holdings, limits }: Protected,
  symbol: Symbol,
  { instruments, kinds }: StopTerms,
): ProtectiveStop | null {
  const position = holdings.get(symbol);
  const instrument = instruments.get(symbol);
  if (position === undefined || instrument === undefined) return null;
  if (!kinds.includes(instrument.kind)) return null;
  return protectiveStop(position, instrument, { limits, portfolio: { positions: holdings } });
}

/** Whether a stop is the one that its position wants. */
export function stopFits(
  order: Pick<OpenOrder, 'decided' | 'filled'>,
  wanted: ProtectiveStop | null,
): boolean {
  return wanted !== null && isInStep(remainderOf(order), wanted);
}

/**
 * Whether a stop at the broker must go although no order waits for that. A stop that could close too much goes at once;
 * one that is only too small, or at an older price, stays until it can be replaced: some protection beats none.
 */
export function isStopOutdated(
  order: Pick<OpenOrder, 'decided' | 'filled'>,
  wanted: ProtectiveStop | null,
  canBeReplaced: boolean,
): boolean {
  if (wanted === null || closesTooMuch(remainderOf(order), wanted)) return true;
  return canBeReplaced && !stopFits(order, wanted);
}

function remainderOf({ decided, filled }: Pick<OpenOrder, 'decided' | 'filled'>) {
  const { side, quantity, limitPrice: price } = decided;
  return { side, remaining: quantity - filled, price };
}

export type StopPlan = {
  readonly deployment: Protected & CommandedStatus;
  readonly state: DeploymentState;
  readonly openOrders: readonly OpenOrder[];
  readonly terms: StopTerms;
  readonly marks: Marks;
  readonly exceptions: CalendarExceptions;
  /** Stops made for it so far. */
  readonly attempts: readonly StopAttempts[];
  readonly now: Instant;
};

export type StopAttempts = {
  readonly symbol: Symbol;
  readonly cause: string;
  readonly attempts: number;
  /** Refused one after the other, of any cause, and when the last one was. */
  readonly refusals: number;
  readonly refusedAt: Instant | null;
  /** Staff have asked for another try since the last refusal. */
  readonly isRetryAsked: boolean;
};

/** Stops that have not left and no longer fit their position. */
export function outdatedIntents({ deployment, openOrders, terms }: StopPlan): readonly OpenOrder[] {
  return openOrders.filter(
    (order) =>
      order.status === 'intended' &&
      isProtective(order) &&
      !stopFits(order, wantedStop(deployment, order.decided.symbol, terms)),
  );
}

/**
 * Whether a stop may be sent: it is a day order of the open session. One that arrives after the close would be good for
 * the next session, when another is placed, so none leaves in the last minutes.
 */
export function isStopTime(calendar: TradingCalendar, now: Instant): boolean {
  const session = sessionAt(calendar, now);
  return session !== null && session.closesAt - now > LAST_STOP_MS;
}

const LAST_STOP_MS = 5 * MINUTE_MS;

/** The missing stops. `openOrders` must not include any just withdrawn. */
export function missingStops(plan: StopPlan): ApprovedOrder[] {
  const { deployment, openOrders, attempts, now } = plan;
  if (!followsStrategy(deployment)) return [];
  const cooling = new Set(
    attempts
      .filter(({ refusals, refusedAt, isRetryAsked }) => !isRetryAsked && isCooling(refusals, refusedAt, now))
      .map(({ symbol }) => symbol),
  );
  const made = new Map(attempts.map((one) => [attemptKey(one.cause, one.symbol), one.attempts]));
  const busy = new Set(openOrders.filter(takesThePlace).map(({ decided }) => decided.symbol));
  return [...deployment.holdings.keys()].flatMap((symbol) => {
    if (busy.has(symbol) || cooling.has(symbol)) return [];
    return placedStop(plan, symbol, made) ?? [];
  });
}

function placedStop(
  { deployment, state, terms, marks, now, exceptions }: StopPlan,
  symbol: Symbol,
  made: ReadonlyMap<string, number>,
): ApprovedOrder | null {
  const stop = wantedStop(deployment, symbol, terms);
  const mark = marks.get(symbol);
  const instrument = terms.instruments.get(symbol);
  if (stop === null || mark === undefined || instrument === undefined || terms.isResetNear) return null;
  const calendar = heldCalendar(instrument.calendar, exceptions);
  if (!isStopTime(calendar, now) || !canPlaceStop(stop, mark)) return null;
  const attempt = (made.get(attemptKey(stop.cause, symbol)) ?? 0) + 1;
  const approval = approveStop(stop, { state, instrument, mark, attempt, at: now });
  return approval.ok ? approval.order : null;
}

/** A stop, or another order that leaves once no stop is there; an order that waits for anything else needs no place. */
function takesThePlace(order: OpenOrder): boolean {
  return isProtective(order) || isAboutToLeave(order);
}
