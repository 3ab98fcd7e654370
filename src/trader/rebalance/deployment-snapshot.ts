// A deployment with all that the engine must know of it, loaded for many at once.
import type { Database } from '#records/postgres/database.ts';
import type { DeploymentState } from '#engine/deployment-state.ts';
import type { WorkingOrder } from '#engine/order/order.ts';
import { attemptKey } from '#engine/order/client-order-id.ts';
import {
  type AttemptCount,
  countAttempts,
  listOpenOrders,
  listRejectedExits,
  type OrderRecord,
} from '#records/execution/orders.ts';
import { listTargets, type TargetRecord } from '#records/strategies/targets.ts';
import { loadTradingDeployments, type TradingDeployment } from '#records/deployments/trading-deployments.ts';
import { effectivePermission } from '#engine/lifecycle/effective-status.ts';
import type { DeploymentId, TargetId } from '#units/identifiers.ts';
import { HOUR_MS, type Instant } from '#units/instant.ts';
import { quantity } from '#units/quantity.ts';
import type { TradingContext } from '../trading-context.ts';

export type DeploymentSnapshot = {
  readonly record: TradingDeployment;
  readonly state: DeploymentState;
  readonly openOrders: readonly OrderRecord[];
};

/**
 * Locks the deployments when something will be decided for them, and makes sure that they are this trader's until the
 * transaction ends. `forTarget` names a target about to be applied.
 */
export async function loadSnapshots(
  database: Database,
  ids: readonly DeploymentId[],
  context: TradingContext,
  options: { readonly lock: 'for update' | 'unlocked'; readonly forTarget?: TargetId },
): Promise<DeploymentSnapshot[]> {
  const records = await loadTradingDeployments(database, ids, options.lock);
  if (options.lock === 'for update' && records.length > 0) {
    await context.lease.fence(
      database,
      records.map(({ connectionId }) => connectionId),
    );
  }
  const orders = await listOpenOrders(database, records);
  const targets = await appliedTargets(database, records, context);
  const counts = await attemptsOf(database, records, context, options.forTarget);
  const attempts = byDeployment(counts);
  const exiting = new Set(counts.flatMap(({ isExit, deploymentId }) => (isExit ? deploymentId : [])));
  const coolSince = (context.now - REJECTED_EXIT_COOLDOWN_MS) as Instant;
  const cooling = exiting.size === 0 ? [] : await listRejectedExits(database, [...exiting], coolSince);
  const ordersOf = Map.groupBy(orders, (order) => order.decided.deploymentId);
  const coolingOf = Map.groupBy(cooling, (order) => order.decided.deploymentId);
  return records.map((record) => {
    const openOrders = ordersOf.get(record.id) ?? [];
    const target = record.appliedTargetId === null ? undefined : targets.get(record.appliedTargetId);
    return {
      record,
      openOrders,
      state: {
        deploymentId: record.id,
        permission: effectivePermission(record),
        allowsShort: context.versions.get(record.versionId)?.allowsShort ?? false,
        limits: record.limits,
        portfolio: { cash: record.cash, positions: record.holdings, realized: record.realized },
        marks: withStoredMarks(record, context),
        peakEquity: record.peakEquity,
        frozenAt: record.frozenAt,
        stoppedOut: record.stoppedOut,
        working: [...openOrders.filter(isNotGtcStop), ...(coolingOf.get(record.id) ?? [])].map(workingOrder),
        target: target ? { id: target.id, weights: target.weights } : null,
        attempts: attempts.get(record.id) ?? new Map(),
      },
    };
  });
}

/**
 * An exit that the broker turned away counts as working for a while, so that it is not thrown at the broker again at
 * every price.
 */
const REJECTED_EXIT_COOLDOWN_MS = 4 * HOUR_MS;

/**
 * What rests to protect a position holds no decision up and takes nothing out of a budget: it gives way before any other
 * order of its position leaves (send-orders.ts).
 */
function isNotGtcStop({ decided }: OrderRecord): boolean {
  return decided.purpose !== 'protective';
}

/** The market's prices; where one is missing now, the last one that the position was valued at. */
function withStoredMarks(record: TradingDeployment, context: TradingContext) {
  const missing = [...record.holdings.values()].filter(({ symbol }) => !context.marks.has(symbol));
  if (missing.length === 0) return context.marks;
  return new Map([...context.marks, ...missing.map(({ symbol, markPrice }) => [symbol, markPrice] as const)]);
}

function workingOrder({ decided, filled }: OrderRecord): WorkingOrder {
  const { clientOrderId, symbol, side, limitPrice, purpose } = decided;
  const remaining = quantity(Math.max(0, decided.quantity - filled));
  return { clientOrderId, symbol, side, remaining, limitPrice, purpose };
}

async function appliedTargets(
  database: Database,
  records: readonly TradingDeployment[],
  context: TradingContext,
): Promise<ReadonlyMap<TargetId, TargetRecord>> {
  const ids = new Set(records.flatMap(({ appliedTargetId }) => (appliedTargetId ? [appliedTargetId] : [])));
  const { targetCache } = context;
  const unseen = [...ids].filter((id) => !targetCache.seen.has(id));
  for (const target of (await listTargets(database, unseen)).values()) targetCache.keep(target);
  return targetCache.seen;
}

/** Of the exits, and of the target about to be applied, or else of the one being followed. */
async function attemptsOf(
  database: Database,
  records: readonly TradingDeployment[],
  context: TradingContext,
  forTarget: TargetId | undefined,
): Promise<AttemptCount[]> {
  const ids = records.map(({ id }) => id);
  const followed = records.flatMap(({ appliedTargetId }) => appliedTargetId ?? []);
  const causes = new Set(forTarget ? [forTarget] : followed);
  // An order never comes before the target that it follows.
  const since = Math.min(
    context.now,
    ...[...causes].map((id) => context.targetCache.seen.get(id)?.asOf ?? 0),
  );
  return countAttempts(database, ids, { ids: [...causes], since: since as Instant });
}

/** Under attemptKey. */
function byDeployment(counts: readonly AttemptCount[]): Map<DeploymentId, Map<string, number>> {
  const attempts = new Map<DeploymentId, Map<string, number>>();
  for (const { deploymentId, cause, symbol, attempts: count } of counts) {
    let ofDeployment = attempts.get(deploymentId);
    if (!ofDeployment) attempts.set(deploymentId, (ofDeployment = new Map()));
    ofDeployment.set(attemptKey(cause, symbol), count);
  }
  return attempts;
}
