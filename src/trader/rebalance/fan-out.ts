// Applies a target to all deployments that trade its strategy: sizes, limits, orders, receipt and the note that it was
// applied, one transaction per batch. A query finds the deployments that do not follow the newest target yet, so a crash,
// a pause or an unfilled order only delays it.
import { comparableClose } from '#engine/end-of-day/comparable-close.ts';
import { applyEvent } from '#engine/execution/deployment/apply-event.ts';
import { mayFollow, sizingPrices, supersededIntents } from '#engine/execution/deployment/follow-target.ts';
import { heldCalendar } from '#engine/market/calendar-exceptions.ts';
import { isTooLate } from '#engine/strategy/time-to-act.ts';
import type { TracedOrder } from '#ports/tracing.ts';
import { listDeploymentsBehind } from '#records/deployments/deployment-queues.ts';
import { withdrawOrders } from '#records/execution/orders.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { findLatestTargets, markFannedOut, type TargetRecord } from '#records/strategies/targets.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { noteIntents } from '../chain.ts';
import type { TradedVersion } from '../strategies/traded-version.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';
import { loadSnapshots } from './load-snapshots.ts';
import { runInBatches } from './run-in-batches.ts';
import { sayTooLate } from './say-too-late.ts';
import { saveTransitions } from './save-transitions.ts';
import { sequentialIds } from './sequential-ids.ts';

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
    // A target that was applied without one of its prices would leave that part out for good.
    if (version.definition.universe.some((symbol) => context.doubted.has(symbol))) continue;
    if (context.targetCache.catchingUp.has(versionId)) continue;
    try {
      if (isLate(context, version, latest.newest)) await sayTooLate(context, version, latest.newest, ids);
      else await serveVersion(context, version, latest.newest, ids);
    } catch (error) {
      const about = { kind: 'strategy_failing', subject: version.id, task: 'fan-out' } as const;
      noteProblem(context, `fan-out of ${version.strategyName}`, error, about);
    }
  }
}

function isLate(
  { now, exceptions }: TradingContext,
  { definition: { interval }, calendar }: TradedVersion,
  { asOf }: TargetRecord,
): boolean {
  return isTooLate({ asOf, interval }, heldCalendar(calendar, exceptions), now);
}

/** Cached values stay valid until a new evaluation is seen. */
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
  const served = await runInBatches(context, {
    task: 'fan-out',
    ids,
    size: BATCH_SIZE,
    work: (trx, batch, present) =>
      // While earlier batches were served, its time may have ended.
      isLate(present, version, target)
        ? Promise.resolve([])
        : serveBatch(trx, batch, { ...present, ...pricesFor(target, version, present) }, target),
    after: (orders, present, began) => noteIntents(present, orders, began),
  });
  context.report.deploymentsServed += served;
  if (served === ids.length) await markFannedOut(context.database, target, context.now);
}

/** A target of a part of a session is traded while the market moves on: it is sized at prices of now. */
function pricesFor(
  target: TargetRecord,
  { definition }: TradedVersion,
  present: TradingContext,
): Pick<TradingContext, 'marks' | 'pricedAt'> {
  if (definition.interval !== undefined) return { marks: present.marks, pricedAt: present.pricedAt };
  const closeOf = (symbol: Symbol, at: Instant) => comparableClose(symbol, at, present);
  return sizingPrices(target, definition.universe, { ...present, closeOf });
}

async function serveBatch(
  trx: Transaction,
  ids: readonly DeploymentId[],
  context: TradingContext,
  target: TargetRecord,
): Promise<readonly TracedOrder[]> {
  const { now: at, marks } = context;
  const options = { lock: 'for update', forTarget: target.id } as const;
  let snapshots = await loadSnapshots(trx, ids, context, options);
  const superseded = supersededIntents(snapshots, target.id);
  if (superseded.length > 0) {
    await withdrawOrders(trx, superseded, { reason: { code: 'target_superseded' }, at });
    snapshots = await loadSnapshots(trx, ids, context, options);
  }
  const { id, weights } = target;
  const event = { type: 'target', at, id, weights, marks } as const;
  const transitions = snapshots
    .filter((snapshot) => mayFollow(snapshot, id))
    .map((snapshot) => applyEvent(snapshot, event, context));
  return saveTransitions(trx, { ...context, newId: sequentialIds(context.newId) }, transitions);
}

/** Neighbours by id, across shards: their rows are adjacent in the tables and their keys. */
const BATCH_SIZE = 2_000;
