// The input of a model: one row for each bar at which every input is defined, in 32-bit floats. Training and trading
// build their rows here, so a model never sees a number in the market that it could not have learned from. Closed bars
// only: a row depends on nothing after its own close.
import type { Symbol } from '#units/identifiers.ts';
import type { BarSeries } from '../market/bar-series.ts';
import { lastClosedIndex, unionOfInstants } from '../strategy/align.ts';
import type { Feature } from '../strategy/definition.ts';
import { featureColumn, type SeriesBySymbol, seriesOf } from '../strategy/feature-column.ts';
import type { ModelSection } from './model-section.ts';

/** The source of the rows; a strategy definition with a model is one. */
export type RowPlan = {
  readonly universe: readonly Symbol[];
  readonly features: { readonly [name: string]: Feature };
  readonly periodsPerYear: number;
  readonly model: Pick<ModelSection, 'inputs' | 'scaling'>;
};

export type ModelRows = {
  /** Inputs of one row. */
  readonly width: number;
  readonly count: number;
  /** Of each row: place of the instrument in the universe, its bar, and that bar's close. Closes never fall. */
  readonly instrument: Uint16Array;
  readonly bar: Int32Array;
  readonly closedAt: Float64Array;
  /** count × width. */
  readonly values: Float32Array;
};

/** The rows of all bars that closed after `after`. */
export function modelRows(
  plan: RowPlan,
  series: SeriesBySymbol,
  after = Number.NEGATIVE_INFINITY,
): ModelRows {
  const universe = plan.universe.map((symbol) => seriesOf(series, symbol));
  const columns = universe.map((bars) => inputColumns(plan, bars, series));
  const timeline = unionOfInstants(universe.map((bars) => bars.closedAt));
  const barOfRow = universe.map((bars) => lastClosedIndex(timeline, bars.closedAt));
  const writer = new RowWriter(universe, columns);
  for (let t = 0; t < timeline.length; t++) {
    if (timeline[t]! <= after) continue;
    const begin = writer.count;
    for (let s = 0; s < universe.length; s++) {
      const bar = barOfRow[s]![t]!;
      // At a close without a bar of its own an instrument has nothing new to score.
      if (bar >= 0 && universe[s]!.closedAt[bar] === timeline[t]) writer.take(s, bar);
    }
    if (plan.model.scaling === 'cross_section') writer.scaleFrom(begin);
  }
  return writer.rows();
}

function inputColumns({ model, features, periodsPerYear }: RowPlan, bars: BarSeries, series: SeriesBySymbol) {
  return model.inputs.map((name) =>
    featureColumn(features[name]!, bars, { series, periodsPerYear, features }),
  );
}

class RowWriter {
  count = 0;
  readonly #universe: readonly BarSeries[];
  readonly #columns: readonly (readonly Float64Array[])[];
  readonly #width: number;
  readonly #instrument: Uint16Array;
  readonly #bar: Int32Array;
  readonly #closedAt: Float64Array;
  readonly #values: Float64Array;

  constructor(universe: readonly BarSeries[], columns: readonly (readonly Float64Array[])[]) {
    const most = universe.reduce((sum, bars) => sum + bars.length, 0);
    this.#universe = universe;
    this.#columns = columns;
    this.#width = columns[0]?.length ?? 0;
    this.#instrument = new Uint16Array(most);
    this.#bar = new Int32Array(most);
    this.#closedAt = new Float64Array(most);
    this.#values = new Float64Array(most * this.#width);
  }

  /** Adds the row of a bar, unless one of its inputs is not defined. */
  take(s: number, bar: number): void {
    const at = this.count * this.#width;
    for (let i = 0; i < this.#width; i++) {
      const value = this.#columns[s]![i]![bar]!;
      if (!Number.isFinite(value)) return;
      this.#values[at + i] = value;
    }
    this.#instrument[this.count] = s;
    this.#bar[this.count] = bar;
    this.#closedAt[this.count++] = this.#universe[s]!.closedAt[bar]!;
  }

  /** Each input of the rows from `begin` on, as deviations from their mean; 0 where they are all the same. */
  scaleFrom(begin: number): void {
    const rows = this.count - begin;
    if (rows === 0) return;
    const values = this.#values;
    for (let i = 0; i < this.#width; i++) {
      const first = begin * this.#width + i;
      const end = first + rows * this.#width;
      let sum = 0;
      for (let at = first; at < end; at += this.#width) sum += values[at]!;
      const mean = sum / rows;
      let squares = 0;
      for (let at = first; at < end; at += this.#width)
        squares += (values[at]! - mean) * (values[at]! - mean);
      const deviation = Math.sqrt(squares / rows);
      for (let at = first; at < end; at += this.#width) {
        values[at] = deviation > 0 ? (values[at]! - mean) / deviation : 0;
      }
    }
  }

  rows(): ModelRows {
    const { count } = this;
    return {
      width: this.#width,
      count,
      instrument: this.#instrument.slice(0, count),
      bar: this.#bar.slice(0, count),
      closedAt: this.#closedAt.slice(0, count),
      values: Float32Array.from(this.#values.subarray(0, count * this.#width)),
    };
  }
}
