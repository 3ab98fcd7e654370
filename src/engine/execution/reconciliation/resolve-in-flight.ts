// Resolves an order that the broker does not list. Absence alone proves nothing: lists are late, and leave out orders
// older than a session. An order in flight is unconfirmed and never sent again. It ends when its day is over and two
// full reconciliations, further apart than the list lag, agree that it is not there.
import { DAY_MS, type Instant } from '#units/instant.ts';
import type { CalendarId } from '../../market/instrument.ts';
import { dayOrderEndsAt } from '../orders/day-order.ts';
import { isBeingCancelled, type OpenOrder } from '../orders/open-order.ts';
import type { OrderUpdate } from '../orders/order-record.ts';
import type { EndReason, UnconfirmedReason } from '../orders/order-reason.ts';

/** 'unknown': the account's position cannot be compared now. */
export type Absence = 'proven' | 'not_proven' | 'unknown';

export type UnlistedOrder = {
  readonly order: OpenOrder;
  /** Of the order's instrument; null when the catalogue does not have it. */
  readonly calendar: CalendarId | null;
  readonly absence: Absence;
  /** When it was first missed, if it has stayed missing since. */
  readonly missedSince: Instant | null;
  /** Since when every look has been complete; null after a gap. */
  readonly reconciledSince: Instant | null;
  readonly listLagMs: number;
  readonly now: Instant;
};

export type UnlistedTransition =
  | { readonly type: 'none' }
  /** It was there, or may have been: the wait starts over. */
  | { readonly type: 'forget' }
  | { readonly type: 'miss'; readonly since: Instant }
  | { readonly type: 'quarantine'; readonly reason: UnconfirmedReason }
  | { readonly type: 'end'; readonly reason: EndReason };

export function resolveUnlisted(unlisted: UnlistedOrder): UnlistedTransition {
  const { order, absence, missedSince, reconciledSince, listLagMs, now } = unlisted;
  if (order.status === 'sending') return { type: 'quarantine', reason: { code: 'no_answer' } };
  const isLost = order.status === 'working' && shouldBeListed(unlisted);
  if (!isLost && absence === 'unknown') return { type: 'none' };
  if (!isLost && absence === 'not_proven') return { type: 'forget' };
  // An absence before a gap does not count: the broker may have shown it in between.
  if (missedSince === null || reconciledSince === null || reconciledSince > missedSince)
    return { type: 'miss', since: now };
  if (now - missedSince <= listLagMs) return { type: 'none' };
  return absence === 'proven'
    ? { type: 'end', reason: { code: order.visibility === 'never_shown' ? 'never_shown' : 'day_over' } }
    : { type: 'quarantine', reason: { code: 'not_listed' } };
}

/** From a day after its end the broker must have said how it ended. */
function shouldBeListed({ order, calendar, now }: UnlistedOrder): boolean {
  return calendar !== null && now >= dayOrderEndsAt(calendar, placedAt(order)) + DAY_MS;
}

/**
 * Whether the account's positions could prove that an order is not there: it can no longer fill, and the executions
 * reach back to it. It is then absent when the account holds what it would without the order.
 */
export function canBeProvenAbsent({
  order,
  calendar,
  executionsFrom,
  historyDays,
  now,
}: Pick<UnlistedOrder, 'order' | 'calendar' | 'now'> & {
  readonly executionsFrom: Instant;
  readonly historyDays: number;
}): boolean {
  if (calendar === null) return false;
  const oldest = now - (historyDays - 1) * DAY_MS;
  if (Math.max(executionsFrom, oldest) > placedAt(order)) return false;
  return now >= dayOrderEndsAt(calendar, placedAt(order));
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
