// Resolves an order that the broker does not list. Absence alone proves nothing: lists are late, and leave out orders of
// earlier brokerage sessions. An order in flight is unconfirmed and never sent again. It ends by evidence: its day is over,
// and the account holds what it would without it, look after look.
import { DAY_MS, type Instant } from '#units/instant.ts';
import { marketInstantOf, msBetween, type WallInstant } from '#units/wall-instant.ts';
import { nextSession, type TradingCalendar } from '../../market/calendar.ts';
import { dayOrderEndsAt } from '../orders/day-order.ts';
import { isBeingCancelled, type OpenOrder } from '../orders/open-order.ts';
import type { OrderUpdate } from '../orders/order-record.ts';
import type { EndReason, UnconfirmedReason } from '../orders/order-reason.ts';

/**
 * Whether the account holds what it would without the order. 'books_agree': it holds exactly what our books say, though it
 * held something beside them before the order. 'unknown': that cannot be compared now.
 */
export type Absence = 'proven' | 'books_agree' | 'not_proven' | 'unknown';

export type UnlistedOrder = {
  readonly order: OpenOrder;
  /** Of the order's instrument; null when the catalogue does not have it. */
  readonly calendar: TradingCalendar | null;
  readonly absence: Absence;
  /** Whether the executions read in this look reach back to the order. */
  readonly isCovered: boolean;
  /** The broker's clock: since when every look has been complete; null after a gap. */
  readonly reconciledSince: WallInstant | null;
  readonly listLagMs: number;
  readonly now: Instant;
  readonly brokerNow: WallInstant;
};

export type UnlistedTransition =
  | { readonly type: 'none' }
  | { readonly type: 'note_absence'; readonly since: WallInstant | null }
  | { readonly type: 'quarantine'; readonly reason: UnconfirmedReason }
  | { readonly type: 'end'; readonly reason: EndReason };

export function resolveUnlisted(unlisted: UnlistedOrder): UnlistedTransition {
  const { order, absence, reconciledSince, listLagMs, brokerNow } = unlisted;
  const { absentSince } = order;
  if (order.status === 'sending') return { type: 'quarantine', reason: { code: 'no_answer' } };
  if (isEvidence(unlisted)) {
    if (absentSince === null) return { type: 'note_absence', since: brokerNow };
    if (!isAbsenceSettled(unlisted, absentSince)) return { type: 'none' };
    return { type: 'end', reason: { code: order.visibility === 'never_shown' ? 'never_shown' : 'day_over' } };
  }
  // Its proof is under way, and positions cannot be compared at this moment: nothing for a person to decide.
  if (absence === 'unknown' && absentSince !== null) return { type: 'none' };
  const isLate = reconciledSince !== null && msBetween(reconciledSince, brokerNow) > listLagMs;
  if (order.status === 'working' && isLate && shouldBeListed(unlisted))
    return { type: 'quarantine', reason: { code: 'not_listed' } };
  if (absentSince === null) return { type: 'none' };
  return { type: 'note_absence', since: null };
}

/**
 * Where the books agree again, the owner has moved what was held beside them, or the order has filled by as much. The second
 * would show in the executions; and whatever is closed then is held.
 */
function isEvidence({ absence, isCovered }: UnlistedOrder): boolean {
  return absence === 'proven' || (absence === 'books_agree' && isCovered);
}

/**
 * With executions that reach back to the order, two looks that are further apart than the list lag are enough, with no gap
 * between. Without them, or where only the books agree, the agreement lasts over a whole session of the instrument. A gap does not weaken that: the order
 * can no longer fill, and what a gap hides, positions show after it.
 */
function isAbsenceSettled(
  { absence, calendar, isCovered, reconciledSince, listLagMs, now, brokerNow }: UnlistedOrder,
  absentSince: WallInstant,
): boolean {
  if (reconciledSince === null) return false;
  const together = Math.min(msBetween(absentSince, brokerNow), msBetween(reconciledSince, brokerNow));
  if (absence === 'proven' && isCovered && together > listLagMs) return true;
  // The broker's clock shows its market's time.
  return calendar !== null && now >= nextSession(calendar, marketInstantOf(absentSince)).closesAt + listLagMs;
}

/** From a day after its end the broker must have said how it ended. */
function shouldBeListed({ order, calendar, now }: UnlistedOrder): boolean {
  return calendar !== null && now >= dayOrderEndsAt(calendar, placedAt(order)) + DAY_MS;
}

/** Whether an order can no longer fill. */
export function isDayOver({
  order,
  calendar,
  now,
}: Pick<UnlistedOrder, 'order' | 'calendar' | 'now'>): boolean {
  return calendar !== null && now >= dayOrderEndsAt(calendar, placedAt(order));
}

/** Whether executions read from `executionsFrom` on include the order's: the broker keeps them since `keptSince`. */
export function coversOrder(
  order: OpenOrder,
  { executionsFrom, keptSince }: { readonly executionsFrom: Instant; readonly keptSince: Instant },
): boolean {
  return Math.max(executionsFrom, keptSince + DAY_MS) <= placedAt(order);
}

function placedAt({ sentAt, decided }: OpenOrder): Instant {
  return sentAt ?? decided.decidedAt;
}

/** A person's decision about an order: the broker's id where they found it, else that it has ended. */
export type Resolution = { readonly brokerOrderId: string | null; readonly because: string };

export function applyResolution(
  order: Pick<OpenOrder, 'brokerOrderId' | 'filled' | 'reason'>,
  resolution: Resolution,
): ResolutionTransition {
  const { brokerOrderId, filled } = order;
  const { brokerOrderId: found, because } = resolution;
  if (found !== null) {
    // An order that works there is not cancelled: it stays a task until it is.
    const reason = isBeingCancelled(order) ? order.reason : null;
    return { type: 'change', update: { status: 'working', reason, brokerOrderId: found } };
  }
  const arrived = brokerOrderId !== null || filled > 0;
  return { type: 'end', reason: { code: 'resolved_by_staff', arrived, because } };
}

export type ResolutionTransition =
  | { readonly type: 'change'; readonly update: OrderUpdate }
  | { readonly type: 'end'; readonly reason: EndReason };
