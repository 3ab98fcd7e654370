// Sends intents to the broker, each after a final check of everything that must hold at this moment. The row says
// 'sending' before the call; only the answer, or the broker's own lists, decide the outcome.
import { nextTry } from '#engine/execution/back-off.ts';
import type { OrderRecord } from '#engine/execution/orders/order-record.ts';
import { applySubmitAnswer, areChecksValid, submitTurns } from '#engine/execution/orders/submit-result.ts';
import { restoreApprovedOrder } from '#engine/order/approved-order.ts';
import { listOrders } from '#records/execution/orders.ts';
import { listHalted } from '#records/operations/kill-switches.ts';
import type { SubmitResult, SubmitTerms } from '#ports/broker.ts';
import { acknowledgePlace, sendPlace } from '#ports/tracing.ts';
import type { Symbol } from '#units/identifiers.ts';
import { noteStage } from '../chain.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import type { JoinedConnection } from '../connections/together.ts';
import { endOrder } from '../reconciliation/end-order.ts';
import { orderFacts } from '../order-facts.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';
import { failingOrder } from '../incidents/failing-order.ts';
import { steadyMs } from './begin-sending.ts';

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
  active: JoinedConnection,
  maySend: (symbol: Symbol) => boolean = () => true,
): Promise<Sending> {
  const intents = await listOrders(context.database, {
    connection: active.connection.id,
    statuses: ['intended'],
  });
  if (intents.length === 0) return { sent: 0, isShut: false, waitsForStop: false };
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
      const begun = await active.together.begin({ context, active, order });
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
      await recordAnswer(context, active, order, isHeldBack ? HELD_BACK : answer);
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

async function recordAnswer(
  context: TradingContext,
  { together }: JoinedConnection,
  order: OrderRecord,
  answer: SubmitResult | typeof HELD_BACK,
): Promise<void> {
  const { clientOrderId } = order.decided;
  const transition = applySubmitAnswer(answer, { wasSent: order.sentAt !== null });
  if (transition.type === 'end') {
    await endOrder(context, order, transition.reason);
    return;
  }
  const hasFailed = answer.outcome === 'not_sent' && answer.code !== 'checks_expired';
  const sendTries = hasFailed ? nextTry(order.sendTries ?? undefined, context.realNow()) : null;
  await together.record({ context, order, transition, sendTries });
  if (answer.outcome === 'not_sent') {
    const error = new Error(`${answer.code}: ${answer.reason}`);
    noteProblem(context, `sending ${clientOrderId}`, error, failingOrder(order, 'sending'));
  }
  if (answer.outcome === 'unknown')
    context.logger.warn({ ...orderFacts(order), result: answer }, 'trader: the fate of an order is unknown');
}
