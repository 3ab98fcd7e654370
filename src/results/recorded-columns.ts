// What a result is computed from besides rules and prices: the scores of a trained model, or the recorded decisions of a model that
// decides, which are read and never asked for again.
import { deciderOf } from '#engine/decider/decider-rule.ts';
import { answerColumns, type RecordedDecisionOfModel, tokenCosts } from '#engine/decider/recorded-answers.ts';
import type { EvidenceCosts } from '#engine/evidence/evidence-run.ts';
import { scoreBars } from '#engine/model/score-bars.ts';
import type { ScoreColumns } from '#engine/model/score-columns.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import type { SeriesBySymbol } from '#engine/strategy/feature-column.ts';
import type { ModelRunner } from '#ports/model-runner.ts';
import { listModelDecisions } from '#records/deciders/model-decisions.ts';
import type { Database } from '#records/postgres/database.ts';
import type { StrategyVersionId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';

export type RecordedColumns = {
  readonly scores: ScoreColumns;
  /** Where a model decides: what its answers cost, and its first decision, from which on there is something to trade. */
  readonly answers?: Pick<EvidenceCosts, 'tokenCosts' | 'from'>;
};

export async function recordedColumns(
  {
    database,
    models,
    now,
  }: { readonly database: Database; readonly models: ModelRunner; readonly now: Instant },
  {
    versionId,
    definition,
  }: { readonly versionId: StrategyVersionId; readonly definition: StrategyDefinition },
  series: SeriesBySymbol,
): Promise<RecordedColumns> {
  if (deciderOf(definition) === null) return { scores: await scoreBars(models, definition, series) };
  return columnsOfAnswers(
    definition,
    series,
    await listModelDecisions(database, versionId, { through: now }),
  );
}

/** What a model answered, oldest first, as what a result is computed from. */
export function columnsOfAnswers(
  definition: StrategyDefinition,
  series: SeriesBySymbol,
  decisions: readonly RecordedDecisionOfModel[],
): RecordedColumns {
  const [first] = decisions;
  return {
    scores: answerColumns(definition, series, decisions),
    answers: { tokenCosts: tokenCosts(decisions), ...(first && { from: first.asOf }) },
  };
}
