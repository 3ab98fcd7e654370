// Results of a version's neighbours on the same in-sample days: one study per version and engine.
import type { Kysely } from 'kysely';
import type { Overfitting } from '#engine/evidence/evidence-grade.ts';
import type { StrategyVersionId } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { Tables } from '../tables.ts';

type VariantStudy = {
  /** How many were compared, the version itself included. */
  readonly variants: number;
  /** Null when the history is too short for it. */
  readonly overfitting: Overfitting | null;
};

export async function findVariantStudy(
  database: Kysely<Tables>,
  versionId: StrategyVersionId,
): Promise<(VariantStudy & { readonly engineHash: string }) | undefined> {
  const row = await database
    .selectFrom('variant_studies')
    .selectAll()
    .where('strategy_version_id', '=', versionId)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (
    row && {
      variants: row.variants,
      overfitting: overfittingOf(row),
      engineHash: row.engine_hash,
    }
  );
}

function overfittingOf(row: {
  readonly overfitting_probability: number | null;
  readonly loss_probability: number | null;
}): Overfitting | null {
  const { overfitting_probability: probability, loss_probability: lossProbability } = row;
  return probability === null || lossProbability === null ? null : { probability, lossProbability };
}

export async function saveVariantStudy(
  database: Kysely<Tables>,
  study: VariantStudy & {
    readonly versionId: StrategyVersionId;
    readonly engineHash: string;
    readonly at: Instant;
  },
): Promise<void> {
  const found = {
    variants: study.variants,
    overfitting_probability: study.overfitting?.probability ?? null,
    loss_probability: study.overfitting?.lossProbability ?? null,
    at: isoText(study.at),
  };
  await database
    .insertInto('variant_studies')
    .values({ strategy_version_id: study.versionId, engine_hash: study.engineHash, ...found })
    .onConflict((conflict) => conflict.columns(['strategy_version_id', 'engine_hash']).doUpdateSet(found))
    .execute();
}

/** In-sample Sharpe ratios per period of the neighbours of a version, as the ledger has them; null of those without one. */
export async function listVariantSharpes(
  database: Kysely<Tables>,
  versionId: StrategyVersionId,
): Promise<readonly (number | null)[]> {
  const rows = await database
    .selectFrom('trials')
    .select('sharpe')
    .distinctOn('definition_hash')
    .where('strategy_version_id', '=', versionId)
    .where('purpose', '=', 'variant')
    .orderBy('definition_hash')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ sharpe }) => sharpe);
}

export async function listStudiedVersions(database: Kysely<Tables>): Promise<ReadonlySet<StrategyVersionId>> {
  const rows = await database
    .selectFrom('variant_studies')
    .select('strategy_version_id')
    .distinct()
    .execute();
  return new Set(rows.map((row) => row.strategy_version_id));
}
