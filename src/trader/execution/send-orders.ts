// Intents leave for the broker, each after one more look at everything that must hold at this moment. The row says
// 'sending' before the call and only the answer, or the broker's own lists, say what became of it.
import { type EndReason, isSameReason, type OrderReason } from '#engine/execution/order-reason.ts';
import { restoreApprovedOrder } from '#engine/order/approved-order.ts';
import type { SubmitResult } from '#ports/broker.ts';
import { listHalted } from '#records/operations/kill-switches.ts';
import { changeOrder, listOrders, lockOrder, type OrderRecord } from '#records/execution/orders.ts';
import { readTradingGates } from '#records/deployments/trading-gates.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import { effectivePermission, followsStrategy, isClosing } from '#engine/lifecycle/effective-status.ts';
import { instant } from '#units/instant.ts';
import { resizeExit } from './resize-exit.ts';
import { dayOrderEndsAt } from './day-order.ts';
import { endLockedOrder, endOrder } from '../reconciliation/end-order.ts';
import { addsExposure } from './exposure.ts';
import { fits, wantedStop } from './protective-stops.ts';
import { loadSnapshots, type DeploymentSnapshot } from '../rebalance/deployment-snapshot.ts';
import { findHold } from './find-hold.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';

export type Sending = {
  /** How many the broker was asked to take. */
  readonly sent: number;
  /** It turned one away at the door: it is not asked again at once. */
  readonly isShut: boolean;
  /** Whether one waits for nothing but the stop of its position to be cancelled. */
  readonly waitsForStop: boolean;
};

/** Exits first, what only rests last; of each the oldest decision. */
export async function sendOrders(context: TradingContext, active: ActiveConnection): Promise<Sending> {
  const intents = await listOrders(context.database, {
    connection: active.connection.id,
    statuses: ['intended'],
  });
  const inTurn = intents.toSorted((one, other) => turnOf(one) - turnOf(other));
  const halted = await listHalted(context.database, [
    ...new Set(intents.map(({ decided }) => decided.deploymentId)),
  ]);
  let sent = 0;
  let isShut = false;
  let waitsForStop = false;
  for (const order of inTurn) {
    if (isShut) break;
    if (halted.has(order.decided.deploymentId)) continue;
    try {
      const lookedAt = await beginSending(context, active, order);
      if (lookedAt === 'awaits stop') waitsForStop = true;
      if (typeof lookedAt === 'string') continue;
      let isHeldBack = false;
      const mayLeave = () => {
        isHeldBack = !context.lease.isValid() || steadyMs(context) - lookedAt >= GATES_HOLD_MS;
        return !isHeldBack;
      };
      const result = mayLeave() ? await submit(active, order, mayLeave) : HELD_BACK;
      sent += 1;
      const next = await recordAnswer(context, order, isHeldBack ? HELD_BACK : result);
      // What our own check held back is looked at anew at once; a broker that turned it away is left alone for a while.
      isShut = next === 'stop sending' && !isHeldBack;
    } catch (error) {
      // Whether it left is not known: it stays 'sending' and is looked for at the broker.
      noteProblem(context, `sending ${order.decided.clientOrderId}`, error);
    }
  }
  context.report.ordersSent += sent;
  return { sent, isShut, waitsForStop };
}

function turnOf({ decided: { purpose } }: OrderRecord): number {
  if (purpose === 'protective') return 2;
  return purpose === 'rebalance' ? 1 : 0;
}

/** What our own check stopped at the last moment. */
const HELD_BACK = { outcome: 'not_sent', code: 'checks_expired', reason: 'it waited too long' } as const;

/** The broker's port asks once more, as the last thing before the request leaves. */
function submit(
  { connection, session }: ActiveConnection,
  order: OrderRecord,
  mayLeave: () => boolean,
): Promise<SubmitResult> {
  const approved = restoreApprovedOrder(order.decided);
  const { accountId } = connection;
  if (approved.purpose !== 'protective') return session.submitOrder(accountId, approved, mayLeave);
  const reason = 'this broker rests no stops';
  return (
    session.submitStop?.(accountId, approved, approved.limitPrice, mayLeave) ??
    Promise.resolve({ outcome: 'rejected', reason })
  );
}

/** Locks deployment and order, looks at every gate, and commits that the sending has begun. Answers when it looked. */
async function beginSending(
  context: TradingContext,
  active: ActiveConnection,
  order: OrderRecord,
): Promise<number | 'stays' | 'awaits stop'> {
  return context.database.transaction().execute(async (trx) => {
    const [snapshot] = await loadSnapshots(trx, [order.decided.deploymentId], context, {
      lock: 'for update',
    });
    const locked = await lockOrder(trx, order.id);
    if (snapshot === undefined || locked.status !== 'intended') return 'stays';
    const lookedAt = steadyMs(context);
    const gates = await readTradingGates(trx, snapshot.record.id, AGREEMENT_VERSION);
    if (!gates.connectionActive || gates.halt !== null) return 'stays';
    const refusal =
      refusalOf(locked, snapshot, gates) ??
      stopRefusal(locked, snapshot, context) ??
      staleness(context, locked);
    if (refusal !== null) {
      await endLockedOrder(trx, context, { snapshot, order: locked, reason: refusal });
      return 'stays';
    }
    const waits = await findHold(trx, context, active, { order: locked, snapshot });
    if (waits !== null) {
      const { reason, there } = waits;
      // Not at the first look: what was booked a moment ago may show in the broker's positions a moment later.
      const lasts = locked.reason?.code === reason.code;
      if (lasts && there && (await resizeExit(trx, context, { snapshot, order: locked, there })))
        return 'stays';
      if (!isSameReason(locked.reason, reason))
        await changeOrder(trx, locked.id, { status: 'intended', reason });
      return reason.code === 'stop_not_cancelled' ? 'awaits stop' : 'stays';
    }
    // A look that waited for its turn at the broker meets what was decided by a later reading of the clock.
    const sentAt = instant(Math.max(context.now, locked.decided.decidedAt));
    await changeOrder(trx, locked.id, { status: 'sending', reason: null, sentAt });
    return lookedAt;
  });
}

function steadyMs({ steadyMs: own }: TradingContext): number {
  return own === undefined ? performance.now() : own();
}

function refusalOf(
  order: OrderRecord,
  { record, state }: DeploymentSnapshot,
  gates: { readonly agreementSigned: boolean; readonly suitable: boolean },
): EndReason | null {
  const { purpose, symbol, side, quantity } = order.decided;
  const permission = effectivePermission(record);
  if (permission === 'none') return { code: 'paused_or_ended' };
  if (!gates.agreementSigned) return { code: 'agreement_not_signed' };
  const held = record.holdings.get(symbol)?.quantity ?? 0;
  const adds = addsExposure(order.decided, held);
  if (purpose === 'rebalance' && isClosing(record)) return { code: 'deployment_stopped' };
  if (!adds) return null;
  if (purpose !== 'rebalance') return { code: 'nothing_to_close' };
  if (side === 'sell' && !state.allowsShort && quantity > Math.max(0, held)) {
    return { code: 'position_changed' };
  }
  if (permission === 'exits_only' || record.frozenAt !== null) {
    return { code: 'frozen' };
  }
  if (!gates.suitable) {
    return { code: 'not_suitable' };
  }
  return null;
}

/** What is to rest is looked at as strictly: it is the one that its position asks for now, or it does not leave. */
function stopRefusal(
  order: OrderRecord,
  { record }: DeploymentSnapshot,
  context: TradingContext,
): EndReason | null {
  if (order.decided.purpose !== 'protective') return null;
  if (followsStrategy(record) && fits(order, wantedStop(record, order.decided.symbol, context))) return null;
  return { code: 'position_changed' };
}

/** An intent that could not be sent within its own day is decided anew, at newer prices. */
function staleness(context: TradingContext, { decided }: OrderRecord): EndReason | null {
  const instrument = context.instruments.get(decided.symbol);
  if (instrument === undefined) return { code: 'instrument_removed' };
  if (context.now < dayOrderEndsAt(instrument.calendar, decided.decidedAt)) return null;
  return { code: 'day_over_unsent' };
}

async function recordAnswer(
  context: TradingContext,
  order: OrderRecord,
  result: SubmitResult | typeof HELD_BACK,
): Promise<'go on' | 'stop sending'> {
  switch (result.outcome) {
    case 'accepted':
      await settle(context, order, { status: 'working', reason: null, brokerOrderId: result.brokerOrderId });
      return 'go on';
    case 'rejected': {
      await endOrder(context, order, { code: 'rejected', said: result.reason });
      return 'go on';
    }
    case 'not_sent':
      await settle(context, order, {
        status: 'intended',
        reason:
          result.code === 'checks_expired'
            ? { code: 'checks_expired' }
            : { code: 'not_sent', said: result.reason },
      });
      noteProblem(
        context,
        `sending ${order.decided.clientOrderId}`,
        new Error(`${result.code}: ${result.reason}`),
      );
      return 'stop sending';
    case 'unknown':
      await settle(context, order, {
        status: 'unknown',
        reason: { code: 'answer_unclear', said: result.reason },
      });
      context.logger.warn(
        { order: order.decided.clientOrderId, result },
        'trader: the fate of an order is unknown',
      );
      return 'go on';
    default:
      return result satisfies never;
  }
}

type Settled = {
  readonly status: 'working' | 'intended' | 'unknown';
  readonly reason: OrderReason | null;
  readonly brokerOrderId?: string;
};

/** Only while it is still 'sending': an execution may have been faster than the answer. */
async function settle(context: TradingContext, order: OrderRecord, change: Settled): Promise<void> {
  await context.database.transaction().execute(async (trx) => {
    await context.lease.fence(trx, [order.connectionId]);
    const locked = await lockOrder(trx, order.id);
    if (locked.status === 'sending') await changeOrder(trx, order.id, change);
    else if (change.brokerOrderId !== undefined && locked.brokerOrderId === null) {
      await changeOrder(trx, order.id, { status: locked.status, brokerOrderId: change.brokerOrderId });
    }
  });
}

/**
 * How long after the gates were looked at an order may still leave. What is decided meanwhile (a pause, a kill switch)
 * is promised to hold within a second of its answer; a process that was stopped in between has waited longer.
 */
const GATES_HOLD_MS = 800;
