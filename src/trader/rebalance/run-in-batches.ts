import type { Transaction } from '#records/postgres/database.ts';
import type { TradingTask } from '#engine/lifecycle/status-reason.ts';
import type { DeploymentId } from '#units/identifiers.ts';
import type { WallInstant } from '#units/wall-instant.ts';
import { LeaseLost } from '../lease-lost.ts';
import { bisect, cutIntoBatches } from './batch-queue.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';

/**
 * Runs `work` over the ids, one transaction per batch. A failed batch is halved until the failing id is
 * alone: it is recorded and left for the next tick, and delays no other. Returns how many were done.
 */
export async function runInBatches<Result>(
  context: TradingContext,
  job: {
    readonly task: TradingTask;
    readonly ids: readonly DeploymentId[];
    readonly size?: number;
    /** False for work whose lasting failure need not stop a deployment from trading. */
    readonly isTrading?: boolean;
    /** At the reading of clock and prices with which its transaction begins. */
    readonly work: (
      trx: Transaction,
      ids: readonly DeploymentId[],
      present: TradingContext,
    ) => Promise<Result>;
    /** Once the transaction of a batch is durable. */
    readonly after?: (result: Result, present: TradingContext, began: WallInstant) => void;
  },
): Promise<number> {
  const { task, isTrading = true } = job;
  const failing = { task, symbol: null };
  const queue = cutIntoBatches(job.ids, { sizeMax: job.size ?? BATCH_SIZE, workers: AT_ONCE });
  let done = 0;
  const takeOne = async (ids: readonly DeploymentId[]) => {
    try {
      const present = await context.atPresent();
      const began = present.realNow();
      const result = await context.database.transaction().execute((trx) => job.work(trx, ids, present));
      job.after?.(result, present, began);
      done += ids.length;
      for (const id of ids) if (isTrading) context.circuitBreaker.succeeded(id, failing);
    } catch (error) {
      if (isDatabaseAway(error) || error instanceof LeaseLost) throw error;
      const halves = bisect(ids);
      if (halves !== null) queue.unshift(...halves);
      else
        for (const id of ids) {
          const about = { kind: 'deployment_failing', subject: id, deploymentId: id, task } as const;
          noteProblem(context, `${task} of deployment ${id}`, error, about);
          if (isTrading) context.circuitBreaker.failed(id, failing);
        }
    }
  };
  const worker = async () => {
    for (let ids = queue.shift(); ids !== undefined; ids = queue.shift()) await takeOne(ids);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return done;
}

/**
 * Not the fault of a deployment: the connection, the server, its resources or locks, or tables of another version.
 * Halving would only repeat the request, and no deployment is quarantined for it.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    /^(08|40|42|53|55|57|58|XX)/.test(code) ||
    /^E[A-Z]+$/.test(code) ||
    /connection terminated/i.test(error.message)
  );
}

/** Deployments per transaction: enough that a commit costs little, few enough that locks are short. */
const BATCH_SIZE = 1_000;
/** While the database writes one batch and reads another, the next one is decided. */
const AT_ONCE = 3;
