// The scores of a definition's model over its bars, computed the same way by the trader, a verification and a visitor's
// browser. The caller runs the model; everything else is here.
import { signalSeries } from '../market/signal-bars.ts';
import type { StrategyDefinition } from '../strategy/definition.ts';
import { type SeriesBySymbol, seriesOf } from '../strategy/feature-column.ts';
import { modelRows } from './model-rows.ts';
import {
  NO_SCORES,
  type ScoreBatch,
  scoreBatches,
  type ScoreColumns,
  scoreColumns,
} from './score-columns.ts';

/** One score for each row of a batch, by the file of its window; throws when there are none. */
export type RunModel = (batch: ScoreBatch) => Promise<Float32Array>;

/** Without a model there is nothing to score. `known`: scores of fewer bars, which are not computed again. */
export async function scoreWith(
  run: RunModel,
  definition: StrategyDefinition,
  series: SeriesBySymbol,
  known: ScoreColumns = NO_SCORES,
): Promise<ScoreColumns> {
  const { model, universe } = definition;
  if (model === undefined) return NO_SCORES;
  const through = scoredThrough(definition, series, known);
  const rows = modelRows({ ...definition, model }, signalSeries(series), through);
  const scored = [];
  for (const batch of scoreBatches(model, rows)) scored.push({ batch, scores: await run(batch) });
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
