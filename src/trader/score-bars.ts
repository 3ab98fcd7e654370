// The scores of a strategy's model, by the model runner: one for each bar, computed once and kept, because a closed bar's
// score never changes.
import type { ScoreColumns } from '#engine/model/score-columns.ts';
import { scoreWith } from '#engine/model/score-with.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import type { SeriesBySymbol } from '#engine/strategy/feature-column.ts';
import type { ModelRunner } from '#ports/model-runner.ts';

/** Throws an Error that says why when a model does not run: without its scores nothing is decided. */
export function scoreBars(
  models: ModelRunner,
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
