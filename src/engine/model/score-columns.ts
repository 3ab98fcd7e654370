// Scores as columns over the bars of each instrument: NaN where there is none. The host runs the model between
// scoreBatches and scoreColumns; with the scores given, the engine is as deterministic as without a model.
import type { Symbol } from '#units/identifiers.ts';
import { instantOfDate } from '#units/instant.ts';
import { type SeriesBySymbol, seriesOf } from '../strategy/feature-column.ts';
import type { ModelRows } from './model-rows.ts';
import type { ModelSection, ModelWindow } from './model-section.ts';

/** Each column has the length of its instrument's series. */
export type ScoreColumns = ReadonlyMap<Symbol, Float64Array>;

export const NO_SCORES: ScoreColumns = new Map();

/** The first close that can have a score, one after the window's midnight; -Infinity without a model. */
export function scoredFrom({ model }: { readonly model?: ModelSection }): number {
  return model === undefined ? Number.NEGATIVE_INFINITY : instantOfDate(model.windows[0]!.from) + 1;
}

/** Adjacent rows scored by one model file. */
export type ScoreBatch = {
  readonly window: ModelWindow;
  readonly firstRow: number;
  readonly count: number;
  readonly width: number;
  /** count × width. */
  readonly inputs: Float32Array;
};

/** Rows before the first window are in no batch: no model had been trained yet. */
export function scoreBatches({ windows }: ModelSection, rows: ModelRows): ScoreBatch[] {
  const batches: ScoreBatch[] = [];
  let row = 0;
  for (let w = 0; w < windows.length; w++) {
    const from = instantOfDate(windows[w]!.from);
    const until = w + 1 < windows.length ? instantOfDate(windows[w + 1]!.from) : Number.POSITIVE_INFINITY;
    // A bar that closes at midnight belongs to the day that ends there.
    while (row < rows.count && rows.closedAt[row]! <= from) row++;
    const firstRow = row;
    while (row < rows.count && rows.closedAt[row]! <= until) row++;
    if (row === firstRow) continue;
    const inputs = rows.values.subarray(firstRow * rows.width, row * rows.width);
    batches.push({ window: windows[w]!, firstRow, count: row - firstRow, width: rows.width, inputs });
  }
  return batches;
}

/** The columns, with the scores of each batch in the order of its rows. `known` are columns over fewer bars. */
export function scoreColumns(
  { universe, series }: { readonly universe: readonly Symbol[]; readonly series: SeriesBySymbol },
  rows: ModelRows,
  scored: readonly { readonly batch: ScoreBatch; readonly scores: Float32Array }[],
  known: ScoreColumns = NO_SCORES,
): ScoreColumns {
  const columns = universe.map((symbol) => {
    const column = new Float64Array(seriesOf(series, symbol).length).fill(Number.NaN);
    column.set(known.get(symbol) ?? []);
    return column;
  });
  for (const { batch, scores } of scored) {
    if (scores.length !== batch.count)
      throw new RangeError(`${scores.length} scores for ${batch.count} rows`);
    for (let i = 0; i < batch.count; i++) {
      const row = batch.firstRow + i;
      columns[rows.instrument[row]!]![rows.bar[row]!] = scores[i]!;
    }
  }
  return new Map(universe.map((symbol, s) => [symbol, columns[s]!]));
}
