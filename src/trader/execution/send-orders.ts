// Sends intents to the broker, each after a final check of everything that must hold at this moment. The row says
// 'sending' before the call; only the answer, or the broker's own lists, decide the outcome.
import { nextTry } from '#engine/execution/back-off.ts';
import { applyEvent } from '#engine/execution/deployment/apply-event.ts';
import type { DeploymentSnapshot } from '#engine/execution/deployment/deployment-snapshot.ts';
import { awaitsStop, type Hold, isResizable } from '#engine/execution/orders/order-holds.ts';
import type { OrderRecord } from '#engine/execution/orders/order-record.ts';
import { isSameReason } from '#engine/execution/orders/order-reason.ts';
import { wantedStop } from '#engine/execution/stops/protective-stops.ts';
import { resizeExit } from '#engine/execution/orders/resize-exit.ts';
import { checkPrice } from '#engine/execution/orders/price-check.ts';
import { checkSubmit, type SubmitSnapshot } from '#engine/execution/orders/submit-checks.ts';
import {
  applySubmitAnswer,
  areChecksValid,
  submitTurns,
  submitUpdate,
} from '#engine/execution/orders/submit-result.ts';
import { restoreApprovedOrder } from '#engine/order/approved-order.ts';
import { readTradingGates } from '#records/deployments/trading-gates.ts';
import { changeOrder, listOrders, lockOrder } from '#records/execution/orders.ts';
import { listHalted } from '#records/operations/kill-switches.ts';
import type { Broker, SubmitResult, SubmitTerms } from '#ports/broker.ts';
import { acknowledgePlace, sendPlace } from '#ports/tracing.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import type { Symbol } from '#units/identifiers.ts';
import { marketInstantOf } from '#units/wall-instant.ts';
import { noteStage } from '../chain.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { loadSnapshot, loadSnapshots } from '../rebalance/load-snapshots.ts';
import { saveTransitions } from '../rebalance/save-transitions.ts';
import { endLockedOrder, endOrder } from '../reconciliation/end-order.ts';
import { tradingCalendarOf } from '#engine/market/calendar-exceptions.ts';
import { orderFacts } from '../order-facts.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';
import { failingOrder } from '../incidents/failing-order.ts';
import { loadHold } from './load-hold.ts';
import { stopTerms } from './stop-terms.ts';

export type Sending = {
  /** The number of orders sent to the broker. */
  readonly sent: number;
  /** The broker rejected one on submission: it is not asked again at once. */
  readonly isShut: boolean;
  /** Whether an order waits only for the cancel of its position's stop. */
  readonly waitsForStop: boolean;
};

/** `maySend` says where the last look at the broker still counts; the others wait for the next one. */
export async function sendOrders(
  context: TradingContext,
  active: ActiveConnection,
  maySend: (symbol: Symbol) => boolean = () => true,
): Promise<Sending> {
  const intents = await listOrders(context.database, {
    connection: active.connection.id,
    statuses: ['intended'],
  });
  const halted = await listHalted(context.database, [
    ...new Set(intents.map(({ decided }) => decided.deploymentId)),
  ]);
  let sent = 0;
  let isShut = false;
  let waitsForStop = false;
  for (const order of submitTurns(intents, {
    isHalted: (id) => halted.has(id),
    realNow: context.realNow(),
  })) {
    if (isShut) break;
    if (!maySend(order.decided.symbol)) continue;
    try {
      const looked = context.realNow();
      const begun = await beginSending(context, active, order);
      if (begun === 'awaits stop') waitsForStop = true;
      if (typeof begun === 'string') continue;
      const { checkedAt, withoutMarketData } = begun;
      const left = context.realNow();
      let isHeldBack = false;
      const mayLeave = () => {
        isHeldBack = !context.lease.isValid() || !areChecksValid(checkedAt, steadyMs(context));
        return !isHeldBack;
      };
      const answer = mayLeave() ? await submit(active, order, { mayLeave, withoutMarketData }) : HELD_BACK;
      sent += 1;
      if (!isHeldBack) noteStage(context, sendPlace(order), looked, left);
      await recordAnswer(context, order, isHeldBack ? HELD_BACK : answer);
      if (!isHeldBack)
        noteStage(context, acknowledgePlace(order, { outcome: answer.outcome, by: 'answer' }), left);
      // An order held by our own check is checked again at once; one the broker rejected is left alone for a while.
      isShut = answer.outcome === 'not_sent' && !isHeldBack;
    } catch (error) {
      // Whether it left is unknown: it stays 'sending' and is looked up at the broker.
      noteProblem(context, `sending ${order.decided.clientOrderId}`, error, failingOrder(order, 'sending'));
    }
  }
  context.report.ordersSent += sent;
  return { sent, isShut, waitsForStop };
}

/** Stopped by our own check at the last moment. */
const HELD_BACK = {
  outcome: 'not_sent',
  code: 'checks_expired',
  reason: 'held back',
} as const;

/** The broker's port checks once more, just before the request leaves. */
function submit(
  { connection, session }: ActiveConnection,
  order: OrderRecord,
  terms: SubmitTerms,
): Promise<SubmitResult> {
  const approved = restoreApprovedOrder(order.decided);
  const { accountId } = connection;
  if (approved.purpose !== 'protective') return session.submitOrder(accountId, approved, terms);
  return (
    session.submitStop?.(accountId, approved, approved.limitPrice, terms) ??
    Promise.resolve({ outcome: 'rejected', said: '' })
  );
}

type Begun = {
  /** The time of the check. */
  readonly checkedAt: number;
  readonly withoutMarketData: boolean;
};

/** Locks deployment and order, checks everything, and commits the start of the send. */
async function beginSending(
  earlier: TradingContext,
  active: ActiveConnection,
  { id, decided }: OrderRecord,
): Promise<Begun | 'stays' | 'awaits stop'> {
  const context = await earlier.atPresent();
  return context.database.transaction().execute(async (trx) => {
    const [snapshot] = await loadSnapshots(trx, [decided.deploymentId], context, { lock: 'for update' });
    const order = await lockOrder(trx, id);
    if (snapshot === undefined) return 'stays';
    const checkedAt = steadyMs(context);
    const { withoutMarketData, ...submission } = await loadSubmit(trx, context, {
      order,
      snapshot,
      broker: active.broker,
    });
    const decision = checkSubmit(submission);
    if (decision.type === 'wait') return 'stays';
    if (decision.type === 'withdraw') {
      await endLockedOrder(trx, context, { snapshot, order, reason: decision.reason });
      return 'stays';
    }
    const hold = await loadHold(trx, context, active, { order, snapshot });
    if (hold !== null) return keepHeld(trx, context, { order, snapshot, hold });
    const { reconciledSince } = active.known.health;
    const since = reconciledSince && marketInstantOf(reconciledSince);
    const price = checkPrice(order, { ...context, reconciledSince: since });
    if (price.type === 'withdraw') {
      await endLockedOrder(trx, context, { snapshot, order, reason: price.reason });
      await decideExitsAgain(trx, context, order);
      return 'stays';
    }
    if (price.type === 'wait') return keepHeld(trx, context, { order, snapshot, hold: price });
    await changeOrder(trx, id, { status: 'sending', reason: null, sentAt: context.now });
    return { checkedAt, withoutMarketData };
  });
}

/** A target is applied again by the next fan-out, an exit of a command by the next step of the life cycle. */
async function decideExitsAgain(
  trx: Transaction,
  context: TradingContext,
  { decided: { deploymentId, purpose } }: OrderRecord,
): Promise<void> {
  if (purpose !== 'stop_loss' && purpose !== 'margin_call') return;
  const snapshot = await loadSnapshot(trx, deploymentId, context);
  const event = { type: 'mark', at: context.now, marks: context.marks } as const;
  await saveTransitions(trx, context, [applyEvent(snapshot, event, context)]);
}

async function loadSubmit(
  trx: Transaction,
  context: TradingContext,
  {
    order,
    snapshot,
    broker,
  }: { readonly order: OrderRecord; readonly snapshot: DeploymentSnapshot; readonly broker: Broker },
): Promise<SubmitSnapshot & Pick<Begun, 'withoutMarketData'>> {
  const { record, state } = snapshot;
  const { symbol, purpose } = order.decided;
  const { halt, withoutMarketData, ...gates } = await readTradingGates(trx, record.id, AGREEMENT_VERSION);
  return {
    withoutMarketData,
    order,
    deployment: { ...record, allowsShort: state.allowsShort },
    gates: { ...gates, isHalted: halt !== null },
    wantedStop: purpose === 'protective' ? wantedStop(record, symbol, stopTerms(context, broker)) : null,
    calendar: tradingCalendarOf(symbol, context),
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
    const resized = resizeExit(snapshot, { order, available: hold.available }, context);
    if (resized !== null) {
      await saveTransitions(trx, context, [resized]);
      return 'stays';
    }
  }
  if (!isSameReason(order.reason, reason)) await changeOrder(trx, order.id, { status: 'intended', reason });
  return awaitsStop(reason) ? 'awaits stop' : 'stays';
}

function steadyMs({ steadyMs: own }: TradingContext): number {
  return own === undefined ? performance.now() : own();
}

async function recordAnswer(
  context: TradingContext,
  order: OrderRecord,
  answer: SubmitResult | typeof HELD_BACK,
): Promise<void> {
  const { id, connectionId } = order;
  const { clientOrderId } = order.decided;
  const transition = applySubmitAnswer(answer, { wasSent: order.sentAt !== null });
  if (transition.type === 'end') {
    await endOrder(context, order, transition.reason);
    return;
  }
  await context.database.transaction().execute(async (trx) => {
    await context.lease.fence(trx, [connectionId]);
    const update = submitUpdate(await lockOrder(trx, id), transition);
    if (update === null) return;
    const hasFailed = answer.outcome === 'not_sent' && answer.code !== 'checks_expired';
    const sendTries = nextTry(order.sendTries ?? undefined, context.realNow());
    await changeOrder(trx, id, hasFailed ? { ...update, sendTries } : update);
  });
  if (answer.outcome === 'not_sent') {
    const error = new Error(`${answer.code}: ${answer.reason}`);
    noteProblem(context, `sending ${clientOrderId}`, error, failingOrder(order, 'sending'));
  }
  if (answer.outcome === 'unknown')
    context.logger.warn({ ...orderFacts(order), result: answer }, 'trader: the fate of an order is unknown');
}
