// A target reaches everybody who trades its strategy: sizes, limits, orders, receipt and the note that it was applied,
// one transaction per batch. Whoever does not follow the newest target yet is found by asking, so a crash, a pause
// or an unfilled order only ever delays it.
import type { Transaction } from '#records/postgres/database.ts';
import type { Marks } from '#engine/market/instrument.ts';
import { listDeploymentsBehind } from '#records/deployments/deployment-queues.ts';
import { withdrawOrders } from '#records/execution/orders.ts';
import { findLatestTargets, markFannedOut, type TargetRecord } from '#records/strategies/targets.ts';
import { followsStrategy } from '#engine/lifecycle/effective-status.ts';
import { HOUR_MS } from '#units/instant.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import { type StateTransition, saveTransitions } from './state-transition.ts';
import { hasPendingCorporateAction } from '#engine/end-of-day/pending-corporate-action.ts';
import { runInBatches } from './run-in-batches.ts';
import { sequentialIds } from './sequential-ids.ts';
import { applyEvent } from './apply-event.ts';
import { loadSnapshots, type DeploymentSnapshot } from './deployment-snapshot.ts';
import type { TradedVersion } from '../strategies/traded-version.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';

export async function fanOut(context: TradingContext): Promise<void> {
  await learnLatestTargets(context);
  const behind = await listDeploymentsBehind(
    context.database,
    context.targetCache.latest,
    context.lease.shards,
  );
  for (const [versionId, ids] of behind) {
    const version = context.versions.get(versionId);
    const latest = context.targetCache.latest.get(versionId);
    if (version === undefined || latest === undefined) continue;
    try {
      await serveVersion(context, version, latest.newest, ids);
    } catch (error) {
      noteProblem(context, `fan-out of ${version.strategyName}`, error);
    }
  }
}

/** What is known stays true until a new evaluation is seen. */
async function learnLatestTargets(context: TradingContext): Promise<void> {
  for (const version of context.versions.values()) {
    if (context.targetCache.latest.has(version.id)) continue;
    const latest = await findLatestTargets(context.database, version.id);
    if (latest !== null) context.targetCache.keepLatest(version.id, latest);
  }
}

async function serveVersion(
  context: TradingContext,
  version: TradedVersion,
  target: TargetRecord,
  ids: readonly DeploymentId[],
): Promise<void> {
  context.targetCache.keep(target);
  const marks = marksFor(target, version, context);
  const served = await runInBatches(context, {
    task: 'fan-out',
    ids,
    size: BATCH_SIZE,
    work: (trx, batch) => serveBatch(trx, batch, { ...context, marks }, target),
  });
  context.report.deploymentsServed += served;
  if (served === ids.length) await markFannedOut(context.database, target, context.now);
}

async function serveBatch(
  trx: Transaction,
  ids: readonly DeploymentId[],
  context: TradingContext,
  target: TargetRecord,
): Promise<void> {
  const withdrawn = await withdrawSuperseded(trx, ids, context, target);
  const snapshots = withdrawn.filter((one) => mayFollow(one, target));
  const { id, weights } = target;
  const event = { type: 'target', at: context.now, id, weights, marks: context.marks } as const;
  const together = { ...context, newId: sequentialIds(context.newId) };
  const changes: StateTransition[] = snapshots.map((snapshot) => applyEvent(snapshot, event, together));
  await saveTransitions(trx, changes);
  for (const { orders } of changes) context.report.ordersWritten += orders.length;
}

/** Intents of an older target are taken back before the new one is sized. */
async function withdrawSuperseded(
  trx: Transaction,
  ids: readonly DeploymentId[],
  context: TradingContext,
  target: TargetRecord,
): Promise<DeploymentSnapshot[]> {
  const options = { lock: 'for update', forTarget: target.id } as const;
  const snapshots = await loadSnapshots(trx, ids, context, options);
  const superseded = snapshots
    .flatMap(({ openOrders }) => openOrders)
    .filter(({ status, targetId }) => status === 'intended' && targetId !== null && targetId !== target.id);
  if (superseded.length === 0) return snapshots;
  const ending = { reason: { code: 'target_superseded' }, at: context.now } as const;
  await withdrawOrders(
    trx,
    superseded.map(({ id }) => id),
    ending,
  );
  return loadSnapshots(trx, ids, context, options);
}

/** Not while orders of an older target may still fill: they are cancelled first, and it is asked again. */
function mayFollow({ record, openOrders }: DeploymentSnapshot, target: TargetRecord): boolean {
  if (!followsStrategy(record) || record.appliedTargetId === target.id) return false;
  return !openOrders.some(
    ({ targetId, status }) => targetId !== null && targetId !== target.id && status !== 'unknown',
  );
}

/** A target that is fresh is sized at the closes that it was decided on, as in a backtest; a later one at the prices of now. */
function marksFor(target: TargetRecord, version: TradedVersion, context: TradingContext): Marks {
  if (context.now - target.asOf > FRESH_MS) return context.marks;
  const marks = new Map(context.marks);
  for (const symbol of [...version.definition.universe, ...target.weights.map((one) => one.symbol)]) {
    const bar = context.barCloses.newestBar(symbol);
    if (bar?.closedAt === target.asOf && !hasPendingCorporateAction(symbol, bar.date, context))
      marks.set(symbol, bar.close);
  }
  return marks;
}

const FRESH_MS = 2 * HOUR_MS;
/** Neighbours by id, whatever their shards: what they write lies together in the tables and their keys. */
const BATCH_SIZE = 2_000;
