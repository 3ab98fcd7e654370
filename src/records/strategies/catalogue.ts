// The provider's strategies and their immutable versions, written by the seed and by publishing.
// Idempotent.
import { sql } from 'kysely';
import type { InstrumentKind } from '#engine/market/instrument.ts';
import type { StrategyId, StrategyVersionId } from '#units/identifiers.ts';
import { type Instant, isoText, parseInstant } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { Database } from '../postgres/database.ts';
import { stableId } from '../postgres/stable-id.ts';

type ListedStrategy = {
  readonly slug: string;
  readonly name: string;
  readonly shortDescription: string;
  readonly description: string;
  readonly kind: InstrumentKind;
  readonly strategyType: string;
  readonly market: 'us' | 'global';
  readonly isFeatured: boolean;
  readonly minInvestment: Micro;
};

type StrategyVersion = {
  readonly strategyId: StrategyId;
  readonly versionId: StrategyVersionId;
  readonly committedAt: Instant;
};

/**
 * Stores a strategy with its present definition. A definition that differs from the newest version's becomes the next
 * version, committed at `committedAt`; versions themselves never change.
 */
export async function keepStrategy(
  database: Database,
  listed: ListedStrategy,
  version: { definition: unknown; definitionHash: string; committedAt: Instant },
): Promise<StrategyVersion> {
  const strategyId = stableId(`strategy:${listed.slug}`) as StrategyId;
  const described = {
    name: listed.name,
    short_description: listed.shortDescription,
    description: listed.description,
    kind: listed.kind,
    strategy_type: listed.strategyType,
    market: listed.market,
    is_featured: listed.isFeatured,
    min_investment_micro: listed.minInvestment,
  };
  await database
    .insertInto('strategies')
    // Risk is measured from the first result on; until then the strategy is a draft of the highest risk.
    .values({
      id: strategyId,
      slug: listed.slug,
      risk_level: 'high',
      risk_score: 5,
      status: 'draft',
      ...described,
    })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet(described))
    .execute();
  const newest = await database
    .selectFrom('strategy_versions')
    .select(['id', 'number', 'definition_hash', 'committed_at'])
    .where('strategy_id', '=', strategyId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (newest?.definition_hash === version.definitionHash) {
    return {
      strategyId,
      versionId: newest.id,
      committedAt: parseInstant(newest.committed_at),
    };
  }
  const number = (newest?.number ?? 0) + 1;
  const versionId = stableId(`strategy-version:${listed.slug}:${number}`) as StrategyVersionId;
  await database
    .insertInto('strategy_versions')
    .values({
      id: versionId,
      strategy_id: strategyId,
      number,
      definition: JSON.stringify(version.definition),
      definition_hash: version.definitionHash,
      committed_at: isoText(version.committedAt),
    })
    .onConflict((conflict) => conflict.columns(['strategy_id', 'number']).doNothing())
    .execute();
  return { strategyId, versionId, committedAt: version.committedAt };
}

/**
 * Publishes a strategy of the provider in the marketplace with the risk of its result; a private one keeps its status. True when
 * its score is another than before.
 */
export async function publishStrategy(
  database: Database,
  strategyId: StrategyId,
  risk: { level: 'low' | 'medium' | 'high'; score: number },
): Promise<boolean> {
  const before = await database
    .selectFrom('strategies')
    .select('risk_score')
    .where('id', '=', strategyId)
    .forUpdate()
    .executeTakeFirst();
  const changed = await database
    .updateTable('strategies')
    .set({
      risk_level: risk.level,
      risk_score: risk.score,
      status: sql<'draft' | 'published'>`case when owner_id is null then 'published' else status end`,
    })
    .where('id', '=', strategyId)
    .where('status', '!=', 'retired')
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined && before?.risk_score !== risk.score;
}
