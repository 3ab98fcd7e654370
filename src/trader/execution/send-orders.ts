// Intents leave for the broker, each after one more look at everything that must hold at this moment. The row says
// 'sending' before the call and only the answer, or the broker's own lists, say what became of it.
import { type Hold, isResizable } from '#engine/execution/order-holds.ts';
import { isSameReason, type OrderReason } from '#engine/execution/order-reason.ts';
import { wantedStop } from '#engine/execution/protective-stops.ts';
import { checkSubmit, type SubmitSnapshot } from '#engine/execution/submit-checks.ts';
import { restoreApprovedOrder } from '#engine/order/approved-order.ts';
import type { SubmitResult } from '#ports/broker.ts';
import { listHalted } from '#records/operations/kill-switches.ts';
import { changeOrder, listOrders, lockOrder, type OrderRecord } from '#records/execution/orders.ts';
import { readTradingGates } from '#records/deployments/trading-gates.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import { instant } from '#units/instant.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { endLockedOrder, endOrder } from '../reconciliation/end-order.ts';
import { loadSnapshots, type DeploymentSnapshot } from '../rebalance/deployment-snapshot.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';
import { loadHold } from './load-hold.ts';
import { resizeExit } from './resize-exit.ts';
import { stopTerms } from './stop-terms.ts';

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
      const checkedAt = await beginSending(context, active, order);
      if (checkedAt === 'awaits stop') waitsForStop = true;
      if (typeof checkedAt === 'string') continue;
      let isHeldBack = false;
      const mayLeave = () => {
        isHeldBack = !context.lease.isValid() || steadyMs(context) - checkedAt >= CHECKS_HOLD_MS;
        return !isHeldBack;
      };
      const result = mayLeave() ? await submit(active, order, mayLeave) : HELD_BACK;
      sent += 1;
      const next = await recordAnswer(context, order, isHeldBack ? HELD_BACK : result);
      // What our own check held back is checked again at once; a broker that refused it is left alone for a while.
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
const HELD_BACK = { outcome: 'not_sent', code: 'checks_expired', reason: 'checks expired' } as const;

/** The broker's port asks once more, as the last thing before the request leaves. */
function submit(
  { connection, session }: ActiveConnection,
  order: OrderRecord,
  mayLeave: () => boolean,
): Promise<SubmitResult> {
  const approved = restoreApprovedOrder(order.decided);
  const { accountId } = connection;
  if (approved.purpose !== 'protective') return session.submitOrder(accountId, approved, mayLeave);
  return (
    session.submitStop?.(accountId, approved, approved.limitPrice, mayLeave) ??
    Promise.resolve({ outcome: 'rejected', reason: 'no stop orders' })
  );
}

/** Locks deployment and order, checks everything, and commits that the sending has begun. Answers when it checked. */
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
    if (snapshot === undefined) return 'stays';
    const checkedAt = steadyMs(context);
    const decision = checkSubmit(await loadSubmit(trx, context, { order: locked, snapshot }));
    if (decision.type === 'wait') return 'stays';
    if (decision.type === 'withdraw') {
      await endLockedOrder(trx, context, { snapshot, order: locked, reason: decision.reason });
      return 'stays';
    }
    const hold = await loadHold(trx, context, active, { order: locked, snapshot });
    if (hold !== null) return keepHeld(trx, context, { order: locked, snapshot, hold });
    // A look that waited for its turn at the broker meets what was decided by a later reading of the clock.
    const sentAt = instant(Math.max(context.now, locked.decided.decidedAt));
    await changeOrder(trx, locked.id, { status: 'sending', reason: null, sentAt });
    return checkedAt;
  });
}

async function loadSubmit(
  trx: Transaction,
  context: TradingContext,
  { order, snapshot }: { readonly order: OrderRecord; readonly snapshot: DeploymentSnapshot },
): Promise<SubmitSnapshot> {
  const { record, state } = snapshot;
  const { symbol, purpose } = order.decided;
  const { halt, ...gates } = await readTradingGates(trx, record.id, AGREEMENT_VERSION);
  return {
    order,
    deployment: { ...record, allowsShort: state.allowsShort },
    gates: { ...gates, isHalted: halt !== null },
    wantedStop: purpose === 'protective' ? wantedStop(record, symbol, stopTerms(context)) : null,
    calendar: context.instruments.get(symbol)?.calendar ?? null,
    now: context.now,
  };
}

async function keepHeld(
  trx: Transaction,
  context: TradingContext,
  { order, snapshot, hold }: { order: OrderRecord; snapshot: DeploymentSnapshot; hold: Hold },
): Promise<'stays' | 'awaits stop'> {
  const { reason } = hold;
  if (isResizable(order, hold)) {
    const isReplaced = await resizeExit(trx, context, { snapshot, order, available: hold.available });
    if (isReplaced) return 'stays';
  }
  if (!isSameReason(order.reason, reason)) await changeOrder(trx, order.id, { status: 'intended', reason });
  return reason.code === 'stop_not_cancelled' ? 'awaits stop' : 'stays';
}

function steadyMs({ steadyMs: own }: TradingContext): number {
  return own === undefined ? performance.now() : own();
}

async function recordAnswer(
  context: TradingContext,
  order: OrderRecord,
  result: SubmitResult | typeof HELD_BACK,
): Promise<'go on' | 'stop sending'> {
  switch (result.outcome) {
    case 'accepted':
      await recordOutcome(context, order, {
        status: 'working',
        reason: null,
        brokerOrderId: result.brokerOrderId,
      });
      return 'go on';
    case 'rejected': {
      await endOrder(context, order, { code: 'rejected', said: result.reason });
      return 'go on';
    }
    case 'not_sent':
      await recordOutcome(context, order, {
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
      await recordOutcome(context, order, {
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

type Outcome = {
  readonly status: 'working' | 'intended' | 'unknown';
  readonly reason: OrderReason | null;
  readonly brokerOrderId?: string;
};

/** Only while it is still 'sending': an execution may have been faster than the answer. */
async function recordOutcome(context: TradingContext, order: OrderRecord, change: Outcome): Promise<void> {
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
 * How long after its checks an order may still leave. What is decided meanwhile (a pause, a kill switch)
 * is promised to hold within a second of its answer; a process that was stopped in between has waited longer.
 */
const CHECKS_HOLD_MS = 800;
