// The start of a send, of many accounts in one transaction: locks deployments and orders, checks everything that must hold at this moment,
// and commits the mark that says that the order may be at the broker.
import { applyEvent } from '#engine/execution/deployment/apply-event.ts';
import type { DeploymentSnapshot } from '#engine/execution/deployment/deployment-snapshot.ts';
import { awaitsStop, type Hold, isResizable } from '#engine/execution/orders/order-holds.ts';
import { isSameReason } from '#engine/execution/orders/order-reason.ts';
import type { OrderRecord } from '#engine/execution/orders/order-record.ts';
import { checkPrice } from '#engine/execution/orders/price-check.ts';
import { resizeExit } from '#engine/execution/orders/resize-exit.ts';
import { CHECKS_HOLD_MS } from '#engine/execution/orders/submit-result.ts';
import { checkSubmit, type SubmitSnapshot } from '#engine/execution/orders/submit-checks.ts';
import { wantedStop } from '#engine/execution/stops/protective-stops.ts';
import { tradingCalendarOf } from '#engine/market/calendar-exceptions.ts';
import type { Broker } from '#ports/broker.ts';
import { listTradingGates, type TradingGates } from '#records/deployments/trading-gates.ts';
import { type AroundOrder, lockAccountOrders, readAroundOrders } from '#records/execution/account-orders.ts';
import { changeOrder, lockOrders, markSending } from '#records/execution/orders.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import { marketInstantOf } from '#units/wall-instant.ts';
import type { ActiveConnection } from '../connections/connection.ts';
import { createGathering, TOGETHER_MAX } from '../connections/gathering.ts';
import { loadSnapshot, loadSnapshots } from '../rebalance/load-snapshots.ts';
import { saveTransitions } from '../rebalance/save-transitions.ts';
import { endLockedOrder } from '../reconciliation/end-order.ts';
import type { TradingContext } from '../trading-context.ts';
import { loadHold } from './load-hold.ts';
import { stopTerms } from './stop-terms.ts';

/** An intent whose turn it is, as its connection saw it. */
type Intent = {
  readonly context: TradingContext;
  readonly active: ActiveConnection;
  readonly order: OrderRecord;
};

type Beginning =
  | {
      /** By a clock that never jumps. */
      readonly checkedAt: number;
      readonly withoutMarketData: boolean;
    }
  | 'stays'
  | 'awaits stop';

/** An account shows what the one before it left there: of each account one order at a time. */
export function createBeginnings(): (intent: Intent) => Promise<Beginning> {
  let most = TOGETHER_MAX;
  return createGathering<Intent, Beginning>({
    serve: async (intents) => {
      const begun = await beginSending(intents);
      const left = [...begun.values()].find((one) => typeof one !== 'string');
      if (left !== undefined) most = nextSize(most, steadyMs(intents[0]!.context) - left.checkedAt);
      return begun;
    },
    together: ({ context }) => context.report,
    apart: ({ active }) => active.connection.accountId,
    most: () => most,
  });
}

/** Fewer together where so many take long, so that their checks still hold when they leave; more again where there is time. */
export function nextSize(most: number, tookMs: number): number {
  if (tookMs > CHECKS_HOLD_MS / 2) return Math.max(1, Math.floor(most / 2));
  return tookMs < CHECKS_HOLD_MS / 8 ? Math.min(TOGETHER_MAX, most * 2) : most;
}

async function beginSending(intents: readonly Intent[]): Promise<ReadonlyMap<Intent, Beginning>> {
  const context = await intents[0]!.context.atPresent();
  return context.database.transaction().execute(async (trx) => {
    const locked = await lockIntents(trx, context, intents);
    const begun = new Map<Intent, Beginning>();
    const free: Checked[] = [];
    for (const one of await checkAll(trx, context, locked)) {
      const { intent, snapshot, order, decision } = one;
      if (decision.type === 'withdraw')
        await endLockedOrder(trx, context, { snapshot, order, reason: decision.reason });
      if (decision.type === 'submit') free.push(one);
      else begun.set(intent, 'stays');
    }
    await lockAccountOrders(
      trx,
      free.map(({ intent }) => intent.active.connection.accountId),
    );
    const around = await readAroundOrders(trx, free.map(placeOf));
    const leaving: OrderRecord[] = [];
    for (const [i, one] of free.entries()) {
      const outcome = await holdOrLeave(trx, context, one, around[i]!);
      begun.set(one.intent, outcome);
      if (typeof outcome !== 'string') leaving.push(one.order);
    }
    await markSending(
      trx,
      leaving.map(({ id }) => id),
      context.now,
    );
    // Alone, what is not there or is ahead of the clock stays; among others, somebody else may have locked it.
    if (intents.length === 1 && locked.length === 0) begun.set(intents[0]!, 'stays');
    return begun;
  });
}

type Locked = {
  readonly intent: Intent;
  readonly snapshot: DeploymentSnapshot;
  readonly order: OrderRecord;
};

/** Deployments first, then orders. Of several, those that somebody else has locked are left out: nobody waits for them. */
async function lockIntents(
  trx: Transaction,
  context: TradingContext,
  intents: readonly Intent[],
): Promise<readonly Locked[]> {
  const lock = intents.length === 1 ? 'for update' : 'free for update';
  const ids = intents.map(({ order }) => order.decided.deploymentId);
  const snapshots = new Map(
    (await loadSnapshots(trx, ids, context, { lock })).map((one) => [one.record.id, one]),
  );
  const held = intents.filter(({ order }) => snapshots.has(order.decided.deploymentId));
  const orders = await lockOrders(
    trx,
    held.map(({ order }) => order.id),
  );
  return held.flatMap((intent) => {
    const snapshot = snapshots.get(intent.order.decided.deploymentId)!;
    const order = orders.get(intent.order.id);
    return order === undefined ? [] : { intent, snapshot, order };
  });
}

type Checked = Locked & {
  readonly decision: ReturnType<typeof checkSubmit>;
  readonly checkedAt: number;
  readonly withoutMarketData: boolean;
};

async function checkAll(
  trx: Transaction,
  context: TradingContext,
  locked: readonly Locked[],
): Promise<readonly Checked[]> {
  const checkedAt = steadyMs(context);
  const ids = locked.map(({ snapshot }) => snapshot.record.id);
  const gates = await listTradingGates(trx, ids, AGREEMENT_VERSION);
  return locked.map((one) => {
    const { snapshot, order, intent } = one;
    const found = gates.get(snapshot.record.id)!;
    const submission = submissionOf(context, { snapshot, order, broker: intent.active.broker, gates: found });
    const decision = checkSubmit(submission);
    return { ...one, decision, checkedAt, withoutMarketData: found.withoutMarketData };
  });
}

function submissionOf(
  context: TradingContext,
  {
    order,
    snapshot,
    broker,
    gates: { halt, ...gates },
  }: Pick<Locked, 'order' | 'snapshot'> & { readonly broker: Broker; readonly gates: TradingGates },
): SubmitSnapshot {
  const { record, state } = snapshot;
  const { symbol, purpose } = order.decided;
  return {
    order,
    deployment: { ...record, allowsShort: state.allowsShort },
    gates: { ...gates, isHalted: halt !== null },
    wantedStop: purpose === 'protective' ? wantedStop(record, symbol, stopTerms(context, broker)) : null,
    calendar: tradingCalendarOf(symbol, context),
    now: context.now,
  };
}

function placeOf({ intent, order }: Checked) {
  const { symbol, side } = order.decided;
  return { account: intent.active.connection.accountId, symbol, side };
}

async function holdOrLeave(
  trx: Transaction,
  context: TradingContext,
  { intent: { active }, snapshot, order, checkedAt, withoutMarketData }: Checked,
  around: AroundOrder,
): Promise<Beginning> {
  const hold = await loadHold(trx, context, active, { order, snapshot, around });
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
  return { checkedAt, withoutMarketData };
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

export function steadyMs({ steadyMs: own }: TradingContext): number {
  return own === undefined ? performance.now() : own();
}
