// Resolves an order that the broker does not list. Absence alone proves nothing: lists are late, and leave out orders
// older than a session. An order in flight is unconfirmed and never sent again. It ends when its day is over and two
// full reconciliations, further apart than the list lag, agree that it is not there.
import { DAY_MS, type Instant } from '#units/instant.ts';
import { msBetween, type WallInstant } from '#units/wall-instant.ts';
import type { CalendarId } from '../../market/instrument.ts';
import { dayOrderEndsAt } from '../orders/day-order.ts';
import { isProtective, type OpenOrder } from '../orders/open-order.ts';
import type { OrderUpdate } from '../orders/order-record.ts';
import type { EndReason, UnconfirmedReason } from '../orders/order-reason.ts';

/** 'unknown': the account's position cannot be compared now. */
export type Absence = 'proven' | 'not_proven' | 'unknown';

export type UnlistedOrder = {
  readonly order: OpenOrder;
  /** Of the order's instrument; null when the catalogue does not have it. */
  readonly calendar: CalendarId | null;
  readonly absence: Absence;
  /** The broker's clock: when it was first missed, if it has stayed missing since. */
  readonly missedSince: WallInstant | null;
  /** The broker's clock: since when every look has been complete; null after a gap. */
  readonly reconciledSince: WallInstant | null;
  readonly listLagMs: number;
  readonly now: Instant;
  readonly brokerNow: WallInstant;
};

export type UnlistedTransition =
  | { readonly type: 'none' }
  /** It was there, or may have been: the wait starts over. */
  | { readonly type: 'forget' }
  | { readonly type: 'miss'; readonly since: WallInstant }
  | { readonly type: 'quarantine'; readonly reason: UnconfirmedReason }
  | { readonly type: 'end'; readonly reason: EndReason };

export function resolveUnlisted(unlisted: UnlistedOrder): UnlistedTransition {
  const { order, absence, missedSince, reconciledSince, listLagMs, brokerNow } = unlisted;
  if (order.status === 'sending') return { type: 'quarantine', reason: { code: 'no_answer' } };
  const isLost = order.status === 'working' && shouldBeListed(unlisted);
  if (!isLost && absence === 'unknown') return { type: 'none' };
  if (!isLost && absence === 'not_proven') return { type: 'forget' };
  // An absence before a gap does not count: the broker may have shown it in between.
  if (missedSince === null || reconciledSince === null || msBetween(missedSince, reconciledSince) > 0)
    return { type: 'miss', since: brokerNow };
  if (msBetween(missedSince, brokerNow) <= listLagMs) return { type: 'none' };
  return absence === 'proven'
    ? { type: 'end', reason: { code: 'never_shown' } }
    : { type: 'quarantine', reason: { code: 'not_listed' } };
}

/** True for a stop, which is queried by its own id, and for any other order from a day after its end. */
function shouldBeListed({ order, calendar, now }: UnlistedOrder): boolean {
  if (isProtective(order)) return true;
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
  keptSince,
  now,
}: Pick<UnlistedOrder, 'order' | 'calendar' | 'now'> & {
  readonly executionsFrom: Instant;
  /** From when on the broker still has executions. */
  readonly keptSince: Instant;
}): boolean {
  if (calendar === null) return false;
  const oldest = keptSince + DAY_MS;
  if (Math.max(executionsFrom, oldest) > placedAt(order)) return false;
  return now >= dayOrderEndsAt(calendar, placedAt(order));
}

function placedAt({ sentAt, decided }: OpenOrder): Instant {
  return sentAt ?? decided.decidedAt;
}

/** A person's decision about an order: the broker's id where they found it, else that it has ended. */
export type Resolution = { readonly brokerOrderId: string | null; readonly because: string };

export function applyResolution(
  { brokerOrderId, filled }: Pick<OpenOrder, 'brokerOrderId' | 'filled'>,
  resolution: Resolution,
): ResolutionTransition {
  const { brokerOrderId: found, because } = resolution;
  if (found !== null)
    return { type: 'change', update: { status: 'working', reason: null, brokerOrderId: found } };
  const arrived = brokerOrderId !== null || filled > 0;
  return { type: 'end', reason: { code: 'resolved_by_staff', arrived, because } };
}

export type ResolutionTransition =
  | { readonly type: 'change'; readonly update: OrderUpdate }
  | { readonly type: 'end'; readonly reason: EndReason };
