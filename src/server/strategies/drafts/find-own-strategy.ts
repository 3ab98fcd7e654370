import type { Database } from '#records/postgres/database.ts';
import { findDraft, type StrategyDraft } from '#records/strategy-builder/strategy-drafts.ts';
import { type BacktestJob, findBacktestJob } from '#records/results/backtest-jobs.ts';
import { getRole } from '#records/identity/users.ts';
import type { Caller } from '../../http/call.ts';
import { mayWrite } from './may-write.ts';

/** A strategy that the caller may edit; any other is not found. */
export async function findOwnStrategy(
  database: Database,
  id: string,
  { userId }: Caller,
): Promise<StrategyDraft | undefined> {
  const draft = await findDraft(database, id);
  if (!draft) return undefined;
  return mayWrite({ userId, role: await getRole(database, userId) }, draft) ? draft : undefined;
}

/** A backtest of such a strategy. */
export async function findOwnJob(
  database: Database,
  id: string,
  caller: Caller,
): Promise<BacktestJob | undefined> {
  const job = await findBacktestJob(database, id);
  if (!job) return undefined;
  return (await findOwnStrategy(database, job.strategyId, caller)) ? job : undefined;
}
