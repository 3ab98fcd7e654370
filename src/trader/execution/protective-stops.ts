// Keeps the orders that rest at the broker in step with positions. An intent is written for a position that has none;
// one that no longer fits is withdrawn, or cancelled and placed anew once the broker has confirmed that. Which of them
// may leave, and what they wait for, is decided like that of every other order, at the moment of sending.
import {
  approveStop,
  canRest,
  isInStep,
  type ProtectiveStop,
  protectiveStop,
} from '#engine/risk/protective-stop.ts';
import { attemptKey } from '#engine/order/client-order-id.ts';
import { type OrderRecord, withdrawOrders } from '#records/execution/orders.ts';
import {
  countStopAttempts,
  listStopMismatches,
  type StopAttempts,
} from '#records/execution/protective-orders.ts';
import { followsStrategy } from '#engine/lifecycle/effective-status.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { NewOrder } from '#records/execution/orders.ts';
import type { TradingDeployment } from '#records/deployments/trading-deployments.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import type { BrokerConnectionId, DeploymentId, OrderId, Symbol } from '#units/identifiers.ts';
import { HOUR_MS, type Instant, SECOND_MS } from '#units/instant.ts';
import { type StateTransition, noTransition, saveTransitions } from '../rebalance/state-transition.ts';
import { runInBatches } from '../rebalance/run-in-batches.ts';
import { orderNote } from '../rebalance/notices.ts';
import { quotedDays } from '#engine/market-data/validate-quote.ts';
import { ratioBetween } from '#engine/market/split-ratio.ts';
import { loadSnapshots, type DeploymentSnapshot } from '../rebalance/deployment-snapshot.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';
import { mayLeaveNow } from './find-hold.ts';

/** What is remembered between ticks; all of it can be read again from the records. */
export type StopMemory = {
  /** Real clock; 0 before the first look. */
  lookedAt: number;
  /** Fills and corrections booked and orders ended in this tick when it was last looked. */
  changesSeen: number;
  /** Connections of deployments whose stops at the broker do not match their positions. */
  readonly mismatched: Set<BrokerConnectionId>;
};

export function newStopMemory(): StopMemory {
  return { lookedAt: 0, changesSeen: 0, mismatched: new Set() };
}

export async function maintainStops(context: TradingContext, memory: StopMemory): Promise<void> {
  const kinds = context.broker.limits.stopKinds ?? [];
  if (kinds.length === 0 || !isDue(context, memory)) return;
  memory.lookedAt = context.realNow();
  memory.changesSeen = changesOf(context);
  memory.mismatched.clear();
  try {
    const found = await listStopMismatches(context.database, {
      shards: context.lease.shards,
      kinds,
      without: splitsAhead(context),
      restingSince: coolSince(context),
      agreementVersion: AGREEMENT_VERSION,
    });
    for (const { connectionId } of found) memory.mismatched.add(connectionId);
    await runInBatches(context, {
      task: 'protective-stops',
      ids: found.map(({ deploymentId }) => deploymentId),
      work: (trx, ids) => placeStops(trx, ids, context),
    });
  } catch (error) {
    // The second line waits; nothing else waits for it.
    noteProblem(context, 'protective stops', error);
  }
}

/** At once after a fill, a correction or the end of an order, else every few seconds: a limit may have been changed. */
function isDue(context: TradingContext, { lookedAt, changesSeen }: StopMemory): boolean {
  const changes = changesOf(context);
  if (lookedAt === 0 || (changes > 0 && changes !== changesSeen)) return true;
  return context.realNow() - lookedAt >= LOOK_EVERY_MS;
}

function changesOf({ report }: TradingContext): number {
  return report.fillsBooked + report.correctionsBooked + report.ordersEnded;
}

async function placeStops(
  trx: Transaction,
  ids: readonly DeploymentId[],
  context: TradingContext,
): Promise<void> {
  const snapshots = await loadSnapshots(trx, ids, context, { lock: 'for update' });
  const made = Map.groupBy(
    await countStopAttempts(trx, ids, coolSince(context)),
    ({ deploymentId }) => deploymentId,
  );
  const withdrawn = snapshots.flatMap((snapshot) => outdatedIntents(snapshot, context));
  const ending = { reason: { code: 'position_changed' }, at: context.now } as const;
  const isGone = new Set(await withdrawOrders(trx, withdrawn, ending));
  const changes = snapshots.map((snapshot) =>
    newStops(snapshot, { made: made.get(snapshot.record.id) ?? [], isGone }, context),
  );
  await saveTransitions(
    trx,
    changes.filter(({ orders }) => orders.length > 0),
  );
  for (const { orders } of changes) context.report.ordersWritten += orders.length;
}

function outdatedIntents({ record, openOrders }: DeploymentSnapshot, context: TradingContext): OrderId[] {
  return openOrders
    .filter(({ status, decided }) => status === 'intended' && decided.purpose === 'protective')
    .filter((order) => !fits(order, wantedStop(record, order.decided.symbol, context)))
    .map(({ id }) => id);
}

type Made = { readonly made: readonly StopAttempts[]; readonly isGone: ReadonlySet<OrderId> };

function newStops(
  snapshot: DeploymentSnapshot,
  { made, isGone }: Made,
  context: TradingContext,
): StateTransition {
  const { record, state } = snapshot;
  const change = noTransition(record, context.now);
  if (!followsStrategy(record)) return change;
  const orders: NewOrder[] = [];
  const cooling = new Set(made.flatMap(({ symbol, isCooling }) => (isCooling ? [symbol] : [])));
  const attempts = new Map(made.map((one) => [attemptKey(one.cause, one.symbol), one.attempts]));
  for (const symbol of record.holdings.keys()) {
    const stop = wantedStop(record, symbol, context);
    const mark = context.marks.get(symbol);
    const instrument = context.instruments.get(symbol);
    const isBusy = snapshot.openOrders.some(
      (order) => order.decided.symbol === symbol && !isGone.has(order.id) && isInTheWay(order),
    );
    if (stop === null || mark === undefined || instrument === undefined || isBusy) continue;
    if (cooling.has(symbol) || !canRest(stop, mark)) continue;
    const attempt = (attempts.get(attemptKey(stop.cause, symbol)) ?? 0) + 1;
    const approval = approveStop(stop, { state, instrument, mark, attempt, at: context.now });
    if (!approval.ok) continue;
    const { connectionId } = record;
    const { order } = approval;
    const id = context.newId() as OrderId;
    orders.push({ id, connectionId, targetId: null, order, notes: orderNote(order, record) });
  }
  const receipt = {
    deploymentId: record.id,
    targetId: null,
    at: context.now,
    cause: 'protective-stops',
    refusals: [],
  };
  return { ...change, orders, receipts: [receipt] };
}

/** A stop, or another order that leaves as soon as nothing rests; one that is held up by something else needs no place. */
function isInTheWay(order: OrderRecord): boolean {
  return order.decided.purpose === 'protective' || mayLeaveNow(order);
}

/** What should rest for a position of this deployment; null when nothing should. */
export function wantedStop(
  record: TradingDeployment,
  symbol: Symbol,
  context: TradingContext,
): ProtectiveStop | null {
  const position = record.holdings.get(symbol);
  const instrument = context.instruments.get(symbol);
  if (position === undefined || instrument === undefined) return null;
  if (!(context.broker.limits.stopKinds ?? []).includes(instrument.kind)) return null;
  if (splitsAhead(context).includes(symbol)) return null;
  return protectiveStop(position, instrument, {
    limits: record.limits,
    portfolio: { positions: record.holdings },
  });
}

/** Whether what rests is what should. */
export function fits({ decided, filled }: OrderRecord, stop: ProtectiveStop | null): boolean {
  if (stop === null) return false;
  const { side, quantity, limitPrice: price } = decided;
  return isInStep({ side, remaining: quantity - filled, price }, stop);
}

/** Over the night of a split nothing rests: its size and its price would be those of the evening before. */
function splitsAhead({ actions, instruments, now }: TradingContext): Symbol[] {
  const found: Symbol[] = [];
  for (const [symbol, known] of actions) {
    const calendar = instruments.get(symbol)?.calendar;
    if (calendar === undefined || !known.some(({ kind }) => kind === 'split')) continue;
    const [last, next] = quotedDays(calendar, now);
    if (ratioBetween(known, last, next) !== 1) found.push(symbol);
  }
  return found;
}

/** What was refused is not tried again at once, like an exit that the broker turned away. */
function coolSince({ now }: TradingContext): Instant {
  return (now - COOLING_MS) as Instant;
}

const COOLING_MS = 4 * HOUR_MS;
const LOOK_EVERY_MS = 5 * SECOND_MS;
