// The columns that a definition's rule is computed from: one timeline for the whole universe, and for each instrument
// its bars, its features and which bar is its newest at each row.
import type { Symbol } from '#units/identifiers.ts';
import type { BarSeries } from '../market/bar-series.ts';
import { lastClosedIndex, sameInstants, unionOfInstants } from './align.ts';
import type { StrategyDefinition } from './definition.ts';
import { featureColumn, type SeriesBySymbol, seriesOf } from './feature-column.ts';
import { scheduledRows } from './schedule.ts';

export type PreparedInstrument = {
  readonly symbol: Symbol;
  readonly bars: BarSeries;
  /** For each row the index of the newest closed bar, -1 before the first; null where row and bar are the same. */
  readonly barOfRow: Int32Array | null;
  readonly features: ReadonlyMap<string, Float64Array>;
  /** The first bar at which rules are looked at: one after every feature is defined. */
  readonly readyBar: number;
};

export type Prepared = {
  readonly definition: StrategyDefinition;
  readonly timeline: Float64Array;
  readonly scheduled: Uint8Array;
  readonly instruments: readonly PreparedInstrument[];
};

export function prepare(definition: StrategyDefinition, series: SeriesBySymbol): Prepared {
  const all = definition.universe.map((symbol) => seriesOf(series, symbol));
  const timeline = unionOfInstants(all.map((bars) => bars.closedAt));
  const { periodsPerYear } = definition;
  const names = Object.keys(definition.features);
  const instruments = all.map((bars, i): PreparedInstrument => {
    const features = new Map<string, Float64Array>();
    for (const name of names) {
      features.set(name, featureColumn(definition.features[name]!, bars, { series, periodsPerYear }));
    }
    const sameRows = sameInstants(bars.closedAt, timeline);
    return {
      symbol: definition.universe[i]!,
      bars,
      barOfRow: sameRows ? null : lastClosedIndex(timeline, bars.closedAt),
      features,
      readyBar: readyBar(bars, features),
    };
  });
  return { definition, timeline, scheduled: scheduledRows(definition.schedule, timeline), instruments };
}

/** One bar after the first at which every feature is defined; 1 without features; never where one stays undefined. */
function readyBar(bars: BarSeries, features: ReadonlyMap<string, Float64Array>): number {
  let first = 0;
  for (const column of features.values()) {
    while (first < bars.length && Number.isNaN(column[first]!)) first++;
  }
  return first + 1;
}

/** The newest closed bar of an instrument at a row, -1 before its first. */
export function barAt(instrument: PreparedInstrument, row: number): number {
  return instrument.barOfRow === null ? row : instrument.barOfRow[row]!;
}
