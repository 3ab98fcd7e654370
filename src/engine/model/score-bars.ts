// The scores of a strategy's model from the model runner: one for each bar, computed once and kept, because a closed
// bar's score never changes.
import type { ScoreBatch, ScoreColumns } from './score-columns.ts';
import { scoreWith } from './score-with.ts';
import type { StrategyDefinition } from '../strategy/definition.ts';
import type { SeriesBySymbol } from '../strategy/feature-column.ts';

/** Runs models: one score for each row of a batch, in their order, or why there is none. */
export type ModelScorer = {
  score(
    model: ScoreBatch['window'],
    rows: ScoreBatch,
  ): Promise<
    { readonly ok: true; readonly scores: Float32Array } | { readonly ok: false; readonly message: string }
  >;
};

/** Throws an Error with the cause when a model does not run: without its scores nothing is decided. */
export function scoreBars(
  models: ModelScorer,
  definition: StrategyDefinition,
  series: SeriesBySymbol,
  known?: ScoreColumns,
): Promise<ScoreColumns> {
  return scoreWith(
    async (batch) => {
      const answer = await models.score(batch.window, batch);
      if (answer.ok) return answer.scores;
      throw new Error(`the model of ${definition.name} does not score: ${answer.message}`);
    },
    definition,
    series,
    known,
  );
}
