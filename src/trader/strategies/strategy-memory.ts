// State of the traded strategies between ticks.
import { lastEvaluations } from '#records/strategies/targets.ts';
import { getVersions, listTradedVersionIds } from '#records/strategies/traded-versions.ts';
import type { ModelRunner } from '#ports/model-runner.ts';
import type { StrategyVersionId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { noteProblem, type TickContext } from '../trading-context.ts';
import { createScoreBook, type ScoreBook } from './score-book.ts';
import { createTargetCache, type TargetCache } from './target-cache.ts';
import { type TradedVersion, tradedVersion } from './traded-version.ts';

export type StrategyMemory = {
  readonly versions: Map<StrategyVersionId, TradedVersion>;
  readonly targetCache: TargetCache;
  readonly scoreBook: ScoreBook;
  /** The close at which each version was last evaluated; null until it is read. */
  evaluations: Map<StrategyVersionId, Instant> | null;
};

export function createStrategyMemory(models: ModelRunner): StrategyMemory {
  return {
    versions: new Map(),
    targetCache: createTargetCache(),
    scoreBook: createScoreBook(models),
    evaluations: null,
  };
}

/** Reads the followed versions that are not in memory yet. */
export async function learnVersions(context: TickContext, { versions }: StrategyMemory): Promise<void> {
  const ids = await listTradedVersionIds(context.database);
  for (const id of versions.keys()) if (!ids.includes(id)) versions.delete(id);
  const unknown = ids.filter((id) => !versions.has(id));
  for (const record of await getVersions(context.database, unknown)) {
    const version = tradedVersion(record, context.instruments, context.marketData.intraday);
    if (version instanceof Error) {
      const about = { kind: 'strategy_failing', subject: record.id, task: 'definition' } as const;
      noteProblem(context, `strategy ${record.strategyName}`, version, about);
    } else versions.set(record.id, version);
  }
}

export async function readEvaluations(
  { database }: TickContext,
  memory: StrategyMemory,
): Promise<Map<StrategyVersionId, Instant>> {
  memory.evaluations ??= await lastEvaluations(database);
  return memory.evaluations;
}
