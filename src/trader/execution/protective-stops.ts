// Keeps the orders that rest at the broker in step with positions. An intent is written for a position that has none;
// one that no longer fits is withdrawn, or cancelled and placed anew once the broker has confirmed that. Which of them
// may leave, and what they wait for, is decided like that of every other order, at the moment of sending.
import { missingStops, outdatedIntents, type StopPlan } from '#engine/execution/protective-stops.ts';
import { type NewOrder, withdrawOrders } from '#records/execution/orders.ts';
import { countStopAttempts, listStopMismatches } from '#records/execution/protective-orders.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { AGREEMENT_VERSION } from '#rules/provider.ts';
import type { BrokerConnectionId, DeploymentId, OrderId } from '#units/identifiers.ts';
import { HOUR_MS, type Instant, SECOND_MS } from '#units/instant.ts';
import { type StateTransition, noTransition, saveTransitions } from '../rebalance/state-transition.ts';
import { runInBatches } from '../rebalance/run-in-batches.ts';
import { loadSnapshots, type DeploymentSnapshot } from '../rebalance/deployment-snapshot.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';
import { stopTerms } from './stop-terms.ts';

/** What is remembered between ticks; all of it can be read again from the records. */
export type StopMemory = {
  /** Real clock; 0 before the first look. */
  lookedAt: number;
  /** Fills and adjustments booked and orders ended in this tick when it was last looked. */
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
      without: stopTerms(context).splitting,
      coolingSince: coolSince(context),
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

/** At once after a fill, an adjustment or the end of an order, else every few seconds: a limit may have been changed. */
function isDue(context: TradingContext, { lookedAt, changesSeen }: StopMemory): boolean {
  const changes = changesOf(context);
  if (lookedAt === 0 || (changes > 0 && changes !== changesSeen)) return true;
  return context.realNow() - lookedAt >= LOOK_EVERY_MS;
}

function changesOf({ report }: TradingContext): number {
  return report.fillsBooked + report.adjustmentsBooked + report.ordersEnded;
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
  const terms = stopTerms(context);
  const plans = new Map(
    snapshots.map((snapshot): [DeploymentSnapshot, StopPlan] => {
      const { record: deployment, state, openOrders } = snapshot;
      const attempts = made.get(deployment.id) ?? [];
      return [
        snapshot,
        { deployment, state, openOrders, terms, marks: context.marks, attempts, now: context.now },
      ];
    }),
  );
  const outdated = [...plans.values()].flatMap(outdatedIntents).map(({ id }) => id);
  const ending = { reason: { code: 'position_changed' }, at: context.now } as const;
  const isGone = new Set(await withdrawOrders(trx, outdated, ending));
  const changes = [...plans].map(([snapshot, plan]) => {
    const openOrders = plan.openOrders.filter(({ id }) => !isGone.has(id));
    return newStops(snapshot, { ...plan, openOrders }, context);
  });
  await saveTransitions(
    trx,
    changes.filter(({ orders }) => orders.length > 0),
  );
  for (const { orders } of changes) context.report.ordersWritten += orders.length;
}

function newStops(snapshot: DeploymentSnapshot, plan: StopPlan, context: TradingContext): StateTransition {
  const { record } = snapshot;
  const orders = missingStops(plan).map((order): NewOrder => {
    const id = context.newId() as OrderId;
    const { stopLossPercentage } = record.limits;
    return { id, connectionId: record.connectionId, targetId: null, order, stopLossPercentage };
  });
  const receipt = {
    deploymentId: record.id,
    targetId: null,
    at: context.now,
    cause: 'protective-stops',
    refusals: [],
  };
  return { ...noTransition(record, context.now), orders, receipts: [receipt] };
}

/** What was refused is not tried again at once, like an exit that the broker turned away. */
function coolSince({ now }: TradingContext): Instant {
  return (now - COOLING_MS) as Instant;
}

const COOLING_MS = 4 * HOUR_MS;
const LOOK_EVERY_MS = 5 * SECOND_MS;
