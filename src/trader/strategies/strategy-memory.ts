// State of the traded strategies between ticks.
import { lastEvaluations } from '#records/strategies/targets.ts';
import { getVersions, listDraftsOfParts, listTradedVersionIds } from '#records/strategies/traded-versions.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import type { ModelRunner } from '#ports/model-runner.ts';
import type { StrategyVersionId } from '#units/identifiers.ts';
import { type Instant, MINUTE_MS } from '#units/instant.ts';
import { msBetween, type WallInstant } from '#units/wall-instant.ts';
import { noteProblem, type TickContext } from '../trading-context.ts';
import { createDecisionBook, type DecisionBook } from './decision-book.ts';
import { createScoreBook, type ScoreBook } from './score-book.ts';
import { createTargetCache, type TargetCache } from './target-cache.ts';
import { hasParts, type TradedVersion, tradedVersion } from './traded-version.ts';

export type StrategyMemory = {
  readonly versions: Map<StrategyVersionId, TradedVersion>;
  readonly targetCache: TargetCache;
  readonly scoreBook: ScoreBook;
  readonly decisionBook: DecisionBook;
  /** What drafts of hours and minutes read, as of a look of the last minute: kept, so that they can be tested. */
  drafted: { readonly lookedAt: WallInstant; readonly definitions: readonly StrategyDefinition[] } | null;
  /** The close at which each version was last evaluated; null until it is read. */
  evaluations: Map<StrategyVersionId, Instant> | null;
};

export function createStrategyMemory(models: ModelRunner): StrategyMemory {
  return {
    versions: new Map(),
    targetCache: createTargetCache(),
    scoreBook: createScoreBook(models),
    decisionBook: createDecisionBook(),
    drafted: null,
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

/** Asks nothing where the feed has days only. */
export async function learnDrafts(
  { database, marketData, instruments, realNow }: TickContext,
  memory: StrategyMemory,
): Promise<readonly StrategyDefinition[]> {
  const { intraday } = marketData;
  if (intraday === undefined) return [];
  const now = realNow();
  if (memory.drafted !== null && msBetween(memory.drafted.lookedAt, now) < DRAFTS_MS)
    return memory.drafted.definitions;
  const definitions = (await listDraftsOfParts(database)).flatMap((definition) => {
    const parsed = parseDefinition(definition);
    return parsed.ok && hasParts(parsed.definition, instruments, intraday) ? [parsed.definition] : [];
  });
  memory.drafted = { lookedAt: now, definitions };
  return definitions;
}

const DRAFTS_MS = MINUTE_MS;

export async function readEvaluations(
  { database }: TickContext,
  memory: StrategyMemory,
): Promise<Map<StrategyVersionId, Instant>> {
  memory.evaluations ??= await lastEvaluations(database);
  return memory.evaluations;
}
