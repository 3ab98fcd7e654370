// Loads deployments with all that the engine needs, in bulk.
import {
  type AttemptCount,
  coolingSince,
  type DeploymentSnapshot,
  deploymentSnapshots,
} from '#engine/execution/deployment/deployment-snapshot.ts';
import { isAheadOf } from '#engine/execution/deployment/is-ahead-of.ts';
import type { TradingDeployment } from '#engine/execution/deployment/trading-deployment.ts';
import { findBrokerOf } from '#ports/brokers.ts';
import { type DeploymentLock, loadTradingDeployments } from '#records/deployments/trading-deployments.ts';
import { countAttempts, listOpenOrders, listRejectedExits } from '#records/execution/orders.ts';
import type { Database, Transaction } from '#records/postgres/database.ts';
import { listTargets } from '#records/strategies/targets.ts';
import type { DeploymentId, TargetId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import type { TradingContext } from '../trading-context.ts';

type Context = Pick<TradingContext, 'lease' | 'now' | 'marks' | 'versions' | 'targetCache' | 'brokers'>;

/**
 * Locks the deployments when a decision will be made, and makes sure that they are this trader's until the transaction
 * ends; leaves out those that were written at a later time than the context's. `forTarget` names a target about to be
 * applied.
 */
export async function loadSnapshots(
  database: Database,
  ids: readonly DeploymentId[],
  context: Context,
  options: { readonly lock: DeploymentLock; readonly forTarget?: TargetId },
): Promise<DeploymentSnapshot[]> {
  const records = await loadTradingDeployments(database, ids, options.lock);
  if (options.lock !== 'unlocked' && records.length > 0) {
    await context.lease.fence(
      database,
      records.map(({ connectionId }) => connectionId),
    );
  }
  const openOrders = await listOpenOrders(database, records);
  const targets = await loadTargets(database, records, context);
  const attempts = await loadAttempts(database, records, context, options.forTarget);
  const exiting = new Set(attempts.flatMap(({ isExit, deploymentId }) => (isExit ? deploymentId : [])));
  const rejectedExits =
    exiting.size === 0 ? [] : await listRejectedExits(database, [...exiting], coolingSince(context.now));
  const snapshots = deploymentSnapshots(
    { records, openOrders, rejectedExits, targets, attempts },
    context,
    (vendor) => findBrokerOf(context.brokers, vendor)?.limits.sizing,
  );
  return options.lock === 'unlocked'
    ? snapshots
    : snapshots.filter((snapshot) => !isAheadOf(context.now, snapshot));
}

/** Locks one, which must exist and not be ahead of the clock. */
export async function loadSnapshot(
  trx: Transaction,
  id: DeploymentId,
  context: Context,
): Promise<DeploymentSnapshot> {
  const [snapshot] = await loadSnapshots(trx, [id], context, { lock: 'for update' });
  if (snapshot === undefined) throw new Error(`no deployment ${id}, or one ahead of the clock`);
  return snapshot;
}

async function loadTargets(
  database: Database,
  records: readonly TradingDeployment[],
  { targetCache }: Context,
) {
  const ids = new Set(records.flatMap(({ appliedTargetId }) => (appliedTargetId ? [appliedTargetId] : [])));
  const unseen = [...ids].filter((id) => !targetCache.seen.has(id));
  for (const target of (await listTargets(database, unseen)).values()) targetCache.keep(target);
  return targetCache.seen;
}

/** For the exits, and for the target about to be applied, or else the current one. */
async function loadAttempts(
  database: Database,
  records: readonly TradingDeployment[],
  { now, targetCache }: Context,
  forTarget: TargetId | undefined,
): Promise<(AttemptCount & { readonly isExit: boolean })[]> {
  const ids = records.map(({ id }) => id);
  const followed = records.flatMap(({ appliedTargetId }) => appliedTargetId ?? []);
  const causes = new Set(forTarget ? [forTarget] : followed);
  // An order never precedes the target that it follows.
  const since = Math.min(now, ...[...causes].map((id) => targetCache.seen.get(id)?.asOf ?? 0));
  return countAttempts(database, ids, { ids: [...causes], since: since as Instant });
}
