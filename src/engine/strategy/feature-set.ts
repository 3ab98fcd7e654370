// The features of one instrument, computed on first use. A ranking that looks at a return once a month needs single
// values; everything else whole columns. Both give the same bits.
import type { BarSeries } from '../market/bar-series.ts';
import type { Feature } from './definition.ts';

export class FeatureSet {
  readonly names: readonly string[];
  readonly #features: { readonly [name: string]: Feature };
  readonly #bars: BarSeries;
  readonly #columnOf: (feature: Feature) => Float64Array;
  readonly #columns: Map<string, Float64Array>;

  /** `given` are columns that are not features of the definition, such as a model's scores. */
  constructor(
    features: { readonly [name: string]: Feature },
    bars: BarSeries,
    how: {
      readonly columnOf: (feature: Feature) => Float64Array;
      readonly given: ReadonlyMap<string, Float64Array>;
    },
  ) {
    this.#features = features;
    this.#bars = bars;
    this.#columnOf = how.columnOf;
    this.#columns = new Map(how.given);
    this.names = [...Object.keys(features), ...how.given.keys()];
  }

  has(name: string): boolean {
    return this.#columns.has(name) || this.#features[name] !== undefined;
  }

  /** The whole column; undefined when there is no such feature. */
  get(name: string): Float64Array | undefined {
    const known = this.#columns.get(name);
    if (known !== undefined) return known;
    const feature = this.#features[name];
    if (feature === undefined) return undefined;
    const column = this.#columnOf(feature);
    this.#columns.set(name, column);
    return column;
  }

  /** One value of a feature, NaN where it is not defined. */
  valueAt(name: string, bar: number): number {
    const returns = this.returnsOf(name);
    if (returns === null) return this.get(name)?.[bar] ?? Number.NaN;
    const { values, length, lag } = returns;
    const last = bar - lag;
    return last < length ? Number.NaN : values[last]! / values[last - length]! - 1;
  }

  /** The prices that a feature's values are returns of; null when it is not a plain return, or its column exists. */
  returnsOf(name: string): ReturnsOf | null {
    const feature = this.#features[name];
    if (feature === undefined || this.#columns.has(name) || !isReturn(feature)) return null;
    return {
      values: this.#bars[feature.of ?? 'close'],
      length: feature.length,
      lag: feature.lag ?? 0,
    };
  }

  /** The first bar at which every feature is defined: 0 without features, the number of bars when one never is. */
  firstDefined(): number {
    let first = 0;
    for (const name of this.names) {
      const returns = this.returnsOf(name);
      const earliest = returns === null ? 0 : returns.length + returns.lag;
      first = Math.max(first, Math.min(earliest, this.#bars.length));
      while (first < this.#bars.length && Number.isNaN(this.valueAt(name, first))) first++;
    }
    return first;
  }
}

/** The value at a bar is values[bar - lag] / values[bar - lag - length] - 1. */
export type ReturnsOf = { readonly values: Float64Array; readonly length: number; readonly lag: number };

type ReturnFeature = Extract<Feature, { indicator: 'rsi' | 'roc' }>;

/** Whether a value needs two prices only: computing it where it is looked at costs less than a column. */
function isReturn(feature: Feature): feature is ReturnFeature {
  return feature.indicator === 'roc' && feature.symbol === undefined && feature.every === undefined;
}
