// The scores of a strategy's model: one for each bar, computed once and kept, because a closed bar's score never
// changes. Without a model there is nothing to score.
import { signalSeries } from '#engine/market/signal-bars.ts';
import { modelRows } from '#engine/model/model-rows.ts';
import { NO_SCORES, scoreBatches, type ScoreColumns, scoreColumns } from '#engine/model/score-columns.ts';
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { type SeriesBySymbol, seriesOf } from '#engine/strategy/feature-column.ts';
import type { ModelRunner } from '#ports/model-runner.ts';

/** Throws an Error that says why when a model does not run: without its scores nothing is decided. */
export async function scoreBars(
  models: ModelRunner,
  definition: StrategyDefinition,
  series: SeriesBySymbol,
  known: ScoreColumns = NO_SCORES,
): Promise<ScoreColumns> {
  const { model, universe } = definition;
  if (model === undefined) return NO_SCORES;
  const through = scoredThrough(definition, series, known);
  const rows = modelRows({ ...definition, model }, signalSeries(series), through);
  const scored = [];
  for (const batch of scoreBatches(model, rows)) {
    const answer = await models.score(batch.window, batch);
    if (!answer.ok) throw new Error(`the model of ${definition.name} does not score: ${answer.message}`);
    scored.push({ batch, scores: answer.scores });
  }
  const kept = through === Number.NEGATIVE_INFINITY ? NO_SCORES : known;
  return scoreColumns({ universe, series }, rows, scored, kept);
}

/** The last close that `known` covers; from the beginning where a bar came late and would otherwise stay unscored. */
function scoredThrough(
  { universe }: StrategyDefinition,
  series: SeriesBySymbol,
  known: ScoreColumns,
): number {
  let through = Number.NEGATIVE_INFINITY;
  for (const symbol of universe) {
    const scored = known.get(symbol)?.length ?? 0;
    if (scored > 0) through = Math.max(through, seriesOf(series, symbol).closedAt[scored - 1]!);
  }
  const isWhole = universe.every((symbol) => {
    const next = seriesOf(series, symbol).closedAt[known.get(symbol)?.length ?? 0];
    return next === undefined || next > through;
  });
  return isWhole ? through : Number.NEGATIVE_INFINITY;
}
