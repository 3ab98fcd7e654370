// The columns that a definition's rule is computed from: one timeline for the whole universe, and for each instrument
// its bars, its features and which bar is its newest at each row.
import type { Symbol } from '#units/identifiers.ts';
import { DAY_MS } from '#units/instant.ts';
import type { BarSeries } from '../market/bar-series.ts';
import { NO_SCORES, type ScoreColumns } from '../model/score-columns.ts';
import type { Feature, StrategyDefinition } from './definition.ts';
import { seriesOf } from './feature-column.ts';
import { FeatureSet } from './feature-set.ts';
import type { SharedColumns } from './shared-columns.ts';

export type PreparedInstrument = {
  readonly symbol: Symbol;
  readonly bars: BarSeries;
  /** For each row the index of the newest closed bar, -1 before the first; null where row and bar are the same. */
  readonly barOfRow: Int32Array | null;
  readonly features: FeatureSet;
  /** The first bar at which every feature is defined. */
  readonly definedBar: number;
  /** The first bar at which signals are looked at: one later, so that a cross has a bar before it. */
  readonly readyBar: number;
  /** Of a decider rule: the recorded weight at each bar, NaN where there is none; absent where nothing was given. */
  readonly proposed?: Float64Array;
};

export type Prepared = {
  readonly definition: StrategyDefinition;
  readonly timeline: Float64Array;
  readonly scheduled: Uint8Array;
  readonly instruments: readonly PreparedInstrument[];
  /** The instrument whose condition a regime is; absent without one. */
  readonly regime?: Pick<PreparedInstrument, 'bars' | 'features'>;
};

export function prepare(
  definition: StrategyDefinition,
  shared: SharedColumns,
  scores: ScoreColumns = NO_SCORES,
): Prepared {
  const { universe } = definition;
  const { timeline, barOfRow } = shared.rowsOf(universe);
  const instruments = universe.map((symbol, i): PreparedInstrument => {
    const bars = seriesOf(shared.series, symbol);
    requireInterval(definition, bars);
    const given = new Map<string, Float64Array>();
    if (definition.model !== undefined) given.set(definition.model.output, scoresOf(scores, bars));
    const features = featuresOf(definition, shared, { bars, given });
    const definedBar = features.firstDefined();
    return {
      symbol,
      bars,
      barOfRow: barOfRow[i]!,
      features,
      definedBar,
      readyBar: definedBar + 1,
      ...(definition.rule.type === 'decider' && scores.size > 0 && { proposed: scoresOf(scores, bars) }),
    };
  });
  return {
    definition,
    timeline,
    scheduled: shared.scheduled(definition, timeline),
    instruments,
    ...(definition.regime && { regime: regimeOf(definition, definition.regime.symbol, shared) }),
  };
}

function featuresOf(
  definition: StrategyDefinition,
  shared: SharedColumns,
  { bars, given }: { readonly bars: BarSeries; readonly given: ReadonlyMap<string, Float64Array> },
): FeatureSet {
  const columnOf = (feature: Feature) => shared.feature(feature, bars, definition);
  return new FeatureSet(definition.features, bars, { columnOf, given });
}

function regimeOf(definition: StrategyDefinition, symbol: Symbol, shared: SharedColumns): Prepared['regime'] {
  const bars = seriesOf(shared.series, symbol);
  requireInterval(definition, bars);
  return { bars, features: featuresOf(definition, shared, { bars, given: new Map() }) };
}

/** Minutes read as days would be another strategy. Bars for a definition of days may have any length, as a test may ask. */
function requireInterval({ interval }: StrategyDefinition, { symbol, interval: given }: BarSeries): void {
  if (interval !== undefined && given !== interval)
    throw new RangeError(`the definition reads bars of ${interval}, those of ${symbol} are of ${given}`);
}

/** A model's column, or that of recorded answers, must be complete, bar for bar: without it the decision would be a different one. */
function scoresOf(scores: ScoreColumns, { symbol, length }: BarSeries): Float64Array {
  const column = scores.get(symbol);
  if (column?.length === length) return column;
  throw new RangeError(
    `the model's scores for ${symbol} are ${column?.length ?? 'not given'}, its bars ${length}`,
  );
}

/** An instrument without a bar for ten days no longer trades. */
export function isStale({ barOfRow, bars }: PreparedInstrument, bar: number, at: number): boolean {
  return barOfRow !== null && at - bars.closedAt[bar]! > STALE_MS;
}

export const STALE_MS = 10 * DAY_MS;

/** The newest closed bar of an instrument at a row, -1 before its first. */
export function barAt(instrument: Pick<PreparedInstrument, 'barOfRow'>, row: number): number {
  return instrument.barOfRow === null ? row : instrument.barOfRow[row]!;
}
