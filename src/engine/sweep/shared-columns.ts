// The columns of a sweep: each distinct feature computed when first asked for and kept for every variant that reads it.
import type { BarSeries } from '../market/bar-series.ts';
import { featureColumn, type SeriesBySymbol } from '../strategy/feature-column.ts';
import { FeatureSet } from '../strategy/feature-set.ts';
import type { PreparedInstrument } from '../strategy/prepare.ts';
import type { SweepFeature, SweepVariant } from './sweep-planner.ts';

export class SharedColumns {
  readonly bars: BarSeries;
  readonly #features: readonly SweepFeature[];
  readonly #series: SeriesBySymbol;
  readonly #columns: (Float64Array | undefined)[] = [];
  readonly #firstDefined: number[] = [];

  constructor(features: readonly SweepFeature[], bars: BarSeries, series: SeriesBySymbol) {
    this.bars = bars;
    this.#features = features;
    this.#series = series;
  }

  get(index: number): Float64Array {
    const known = this.#columns[index];
    if (known !== undefined) return known;
    const { feature, periodsPerYear } = this.#features[index]!;
    const column = featureColumn(feature, this.bars, { series: this.#series, periodsPerYear });
    let first = 0;
    while (first < column.length && Number.isNaN(column[first]!)) first++;
    this.#columns[index] = column;
    this.#firstDefined[index] = first;
    return column;
  }

  /** The first bar at which signals are looked at: one after the first at which every feature is defined. */
  readyBar({ columns }: SweepVariant): number {
    let first = 0;
    for (const index of columns) {
      this.get(index);
      first = Math.max(first, this.#firstDefined[index]!);
    }
    return first + 1;
  }

  /** The variant as a run on its own sees it. */
  prepared(variant: SweepVariant): PreparedInstrument {
    const names = Object.keys(variant.definition.features);
    const given = new Map(names.map((name, i) => [name, this.get(variant.columns[i]!)]));
    const features = new FeatureSet({}, this.bars, { columnOf: () => this.bars.close, given });
    const readyBar = this.readyBar(variant);
    return {
      symbol: this.bars.symbol,
      bars: this.bars,
      barOfRow: null,
      features,
      definedBar: readyBar - 1,
      readyBar,
    };
  }
}
