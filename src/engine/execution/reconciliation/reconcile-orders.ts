// The effect of a broker's report on an order. A report ends an order only once all its executions are booked: until
// then the order keeps working, and after a day a person must look.
import type { ClientOrderId, Symbol } from '#units/identifiers.ts';
import { DAY_MS, type Instant, MINUTE_MS } from '#units/instant.ts';
import { msBetween, type WallInstant } from '#units/wall-instant.ts';
import type { TradingCalendar } from '../../market/calendar.ts';
import { isOpen, type OrderStatus } from '../../order/order-status.ts';
import type { BackOff } from '../back-off.ts';
import { dayOrderEndsAt } from '../orders/day-order.ts';
import { isBeingCancelled, isProtective, type OpenOrder } from '../orders/open-order.ts';
import {
  type EndReason,
  isSameReason,
  type OrderReason,
  type WorkingReason,
} from '../orders/order-reason.ts';
import type { OrderReport } from './order-report.ts';
import type { UnsureInstruments } from './unread-rows.ts';

export type ReportedOrder<Report extends OrderReport = OrderReport> = {
  readonly order: OpenOrder;
  readonly report: Report;
  /** Of the order's instrument; null when the catalogue does not have it. */
  readonly calendar: TradingCalendar | null;
  readonly now: Instant;
};

export type ReportTransition =
  | { readonly type: 'none' }
  | {
      readonly type: 'change';
      readonly status: 'working' | 'unknown';
      readonly reason: OrderReason | null;
      readonly brokerOrderId: string;
    }
  | { readonly type: 'end'; readonly reason: EndReason };

export function applyReport(reported: ReportedOrder): ReportTransition {
  const { order, report } = reported;
  if (report.status === 'working' || report.status === 'attention')
    return change(order, { status: 'working', reason: workingReason(order, report) }, report);
  if (lacksExecutions(order, report)) return change(order, awaitingExecutions(reported), report);
  // A filled order lacks executions until the last one is booked, and ends with that one.
  return report.status === 'filled'
    ? { type: 'none' }
    : { type: 'end', reason: { code: endOf(reported, report.status), said: report.note } };
}

/** Brokers report a day order that has run out as cancelled, with no reason but words. */
function endOf(
  { order, calendar, now }: ReportedOrder,
  status: Exclude<OrderReport['status'], 'working' | 'attention' | 'filled'>,
): typeof status {
  if (status !== 'cancelled' || isProtective(order) || calendar === null) return status;
  const isDayOver = now >= dayOrderEndsAt(calendar, order.sentAt ?? order.decided.decidedAt);
  return isDayOver ? 'expired' : 'cancelled';
}

/** Whether an ended order was filled further than its booked executions. */
export function lacksExecutions(
  { filled }: Pick<OpenOrder, 'filled'>,
  report: Pick<OrderReport, 'status' | 'filled'>,
): boolean {
  if (report.status === 'working' || report.status === 'attention') return false;
  return report.filled > filled || report.status === 'filled';
}

type Changed = { readonly status: 'working' | 'unknown'; readonly reason: OrderReason | null };

/** The broker's id of a working order is recorded even where nothing else is new. */
function change(order: OpenOrder, next: Changed, { status, brokerOrderId }: OrderReport): ReportTransition {
  const isWorking = status === 'working' || status === 'attention';
  const isKnown = order.brokerOrderId !== null || !isWorking;
  if (order.status === next.status && isSameReason(order.reason, next.reason) && isKnown)
    return { type: 'none' };
  return { type: 'change', ...next, brokerOrderId };
}

function workingReason(order: OpenOrder, { status, note }: OrderReport): WorkingReason | null {
  const isParked = status === 'attention';
  const { reason } = order;
  if (reason?.code === 'cancel_requested' || reason?.code === 'cancel_not_confirmed')
    return { code: reason.code, parked: isParked ? note : null };
  return isParked ? { code: 'parked', said: note } : null;
}

/** The executions are late, or a person must look. */
function awaitingExecutions({ order, report, calendar, now }: ReportedOrder): Changed {
  const placedAt = order.sentAt ?? order.decided.decidedAt;
  const isLate = calendar !== null && now >= dayOrderEndsAt(calendar, placedAt) + LATE_EXECUTIONS_MS;
  if (isLate) return { status: 'unknown', reason: { code: 'executions_missing', reported: report.status } };
  return { status: 'working', reason: isBeingCancelled(order) ? order.reason : { code: 'fill_begun' } };
}

/** Finds the report of an order by the id that we sent, or else by the broker's. */
export function indexReports<Report extends OrderReport>(
  reports: readonly Report[],
): (order: Pick<OpenOrder, 'decided' | 'brokerOrderId'>) => Report | undefined {
  const byClientId = new Map(reports.map((report) => [report.clientOrderId, report]));
  const byBrokerId = new Map(reports.map((report) => [report.brokerOrderId, report]));
  return ({ decided, brokerOrderId }) =>
    byClientId.get(decided.clientOrderId) ??
    (brokerOrderId === null ? undefined : byBrokerId.get(brokerOrderId));
}

/**
 * Whether an order that no list shows is worth a request of its own: something waits for its end. The lists answer for all
 * others.
 */
export function isAskedAlone(order: OpenOrder): boolean {
  return order.brokerOrderId !== null && (order.status === 'unknown' || isBeingCancelled(order));
}

export const ASK_ALONE: BackOff = { firstMs: 15_000, maxMs: 10 * MINUTE_MS };

/** Reports of orders that work at the broker under one of our ids and are not open here. */
export function unexpectedlyWorking<Report extends OrderReport>(
  reports: readonly Report[],
  open: readonly Pick<OpenOrder, 'decided'>[],
): readonly (Report & { readonly clientOrderId: ClientOrderId })[] {
  const known = new Set(open.map(({ decided }) => decided.clientOrderId));
  return reports.filter(
    (report): report is Report & { readonly clientOrderId: ClientOrderId } =>
      report.status === 'working' && report.clientOrderId !== null && !known.has(report.clientOrderId),
  );
}

/**
 * Whether an order that works there although it ended in our records must be cancelled: another stop may have replaced
 * it, or the words that we took for a refusal were none.
 */
export function mustCancelReappeared(order: {
  readonly decided: OpenOrder['decided'];
  readonly status: OrderStatus;
}): boolean {
  if (order.status === 'rejected') return true;
  return isProtective(order) && !isOpen(order.status) && order.status !== 'filled';
}

/** See SessionHealth. */
export type KnownPositions = {
  readonly reconciledSince: WallInstant | null;
  readonly held: ReadonlyMap<Symbol, number> | null;
  readonly heldAt: WallInstant | null;
  readonly isCompared: boolean;
  /** Of an unsure instrument the positions are the last word. */
  readonly unsure: UnsureInstruments;
};

/** Whether the account's positions must be read although this look booked nothing. */
export function needsPositions(
  open: readonly OpenOrder[],
  { reconciledSince, held, heldAt, isCompared, unsure }: KnownPositions,
  realNow: WallInstant,
): boolean {
  if (reconciledSince === null || held === null || heldAt === null || unsure.size > 0) return true;
  if (!isCompared) return true;
  if (open.some(({ status }) => status === 'unknown' || status === 'sending')) return true;
  // An exit leaves once its stop is gone, and only if its quantity is still held then.
  if (open.some(isBeingCancelled)) return true;
  return msBetween(heldAt, realNow) >= READ_POSITIONS_EVERY_MS;
}

/**
 * The time from which executions are requested: some days before the last one or before the last reading of the
 * list, whichever is older. For an order of long ago only what the broker still keeps, since `keptSince`.
 */
export function executionsFrom(
  open: readonly OpenOrder[],
  known: {
    readonly lastExecutionAt: Instant;
    /** When the list was last read; null when it was not read since the start. */
    readonly readAt: Instant | null;
    /** The oldest execution whose commission is still to come. */
    readonly provisionalSince: Instant | null;
    readonly keptSince: Instant;
    readonly now: Instant;
  },
): Instant {
  const { readAt, provisionalSince, keptSince, now } = known;
  // A time that the broker has spoilt must not hide what follows.
  const lastExecutionAt = Math.min(known.lastExecutionAt, now);
  const reachBack = readAt === null ? REACH_BACK_UNREAD_MS : REACH_BACK_MS;
  const seenUntil = Math.min(lastExecutionAt, readAt ?? lastExecutionAt);
  const sent = open.map(({ decided, sentAt }) => sentAt ?? decided.decidedAt);
  const oldest = Math.min(seenUntil, provisionalSince ?? seenUntil, ...sent);
  return Math.max(oldest - reachBack, Math.min(keptSince, seenUntil - reachBack)) as Instant;
}

/** An execution may be listed days after a newer one: what lies further back than this is never read. */
const REACH_BACK_MS = 3 * DAY_MS;
/** A stream may have brought newer ones since the list was read, which nobody remembers after a restart. */
const REACH_BACK_UNREAD_MS = 7 * DAY_MS;

/** How late executions may follow the end of their order's day before a person is asked. */
const LATE_EXECUTIONS_MS = DAY_MS;
const READ_POSITIONS_EVERY_MS = 30_000;
