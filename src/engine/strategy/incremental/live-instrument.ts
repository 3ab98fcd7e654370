// One instrument of a strategy between two bars: its bars, its features' values so far, and what its conditions say.
import type { Symbol } from '#units/identifiers.ts';
import { type Condition, type Feature, PRICE_NAMES, type StrategyDefinition } from '../definition.ts';
import { conditionAt, type ValueAt } from './condition-at.ts';
import type { Cursor } from './cursors.ts';
import { featureCursor, volatilityCursor } from './feature-cursor.ts';
import { type BarPrices, GrowingBars } from './growing-bars.ts';
import { GrowingColumn } from './growing-column.ts';

export class LiveInstrument {
  readonly symbol: Symbol;
  readonly bars: GrowingBars;
  /** The first bar at which signals are looked at, beyond the newest while it is not known. */
  readyBar = 1;
  readonly #names: readonly string[];
  readonly #cursors: readonly Cursor[];
  readonly #columns: readonly GrowingColumn[];
  readonly #volatilityCursor: Cursor | null;
  readonly #valueAt: ValueAt;
  #volatility = Number.NaN;
  /** How many of the features are defined, and from which bar on. */
  #defined = 0;
  #definedBar = 0;

  private constructor(symbol: Symbol, definition: StrategyDefinition, parts: Parts) {
    this.symbol = symbol;
    this.bars = parts.bars;
    this.#names = Object.keys(definition.features);
    this.#cursors = parts.cursors;
    this.#columns = parts.cursors.map(() => new GrowingColumn());
    const { weighting, periodsPerYear } = definition;
    this.#volatilityCursor =
      'length' in weighting
        ? volatilityCursor(parts.bars.columns.close, weighting.length, periodsPerYear)
        : null;
    const byName = new Map(PRICE_NAMES.map((name) => [name as string, parts.bars.columns[name]]));
    this.#names.forEach((name, f) => byName.set(name, this.#columns[f]!));
    this.#valueAt = (name, bar) => byName.get(name)?.values[bar] ?? Number.NaN;
  }

  /** Null where a feature reads other instruments or can only be computed over whole columns. */
  static of(symbol: Symbol, definition: StrategyDefinition): LiveInstrument | null {
    const bars = new GrowingBars(symbol);
    const cursors: Cursor[] = [];
    for (const feature of Object.values(definition.features)) {
      const cursor = laggedCursor(feature, bars, definition.periodsPerYear);
      if (cursor === null) return null;
      cursors.push(cursor);
    }
    return new LiveInstrument(symbol, definition, { bars, cursors });
  }

  get definedBar(): number {
    return this.#definedBar;
  }

  push(bar: BarPrices): void {
    this.bars.push(bar);
    this.#cursors.forEach((cursor, f) => this.#columns[f]!.push(cursor.next()));
    if (this.#volatilityCursor !== null) this.#volatility = this.#volatilityCursor.next();
    // As FeatureSet.firstDefined goes: name by name, each from where the one before it is defined.
    while (this.#defined < this.#names.length && this.#definedBar < this.bars.length) {
      if (Number.isNaN(this.#columns[this.#defined]!.values[this.#definedBar]!)) this.#definedBar++;
      else this.#defined++;
    }
    this.readyBar = this.#definedBar + 1;
  }

  /** Annual, where the weighting goes by it; NaN before it is measured. */
  newestVolatility(): number {
    return this.#volatility;
  }

  valueAt(name: string, bar: number): number {
    return this.#valueAt(name, bar);
  }

  says(condition: Condition, bar: number): number {
    return conditionAt(condition, bar, this.#valueAt);
  }
}

type Parts = { readonly bars: GrowingBars; readonly cursors: readonly Cursor[] };

function laggedCursor(feature: Feature, bars: GrowingBars, periodsPerYear: number): Cursor | null {
  if (feature.symbol !== undefined) return null;
  const cursor = featureCursor(feature, bars, periodsPerYear);
  const lag = feature.lag ?? 0;
  if (cursor === null || lag === 0) return cursor;
  const column = new GrowingColumn();
  return {
    next: () => {
      column.push(cursor.next());
      return column.length > lag ? column.values[column.length - 1 - lag]! : Number.NaN;
    },
  };
}
