import type { ParameterSet } from '#engine/backtest/variants.ts';
import type { BacktestSettings } from '#engine/backtest/settings.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { DefinitionError } from '#engine/strategy/reader.ts';

/** What a sweep runs. */
export type SweepTask = {
  /** A strategy definition, not yet parsed; each set puts its numbers in. */
  readonly template: unknown;
  readonly series: readonly BarSeries[];
  readonly instruments: readonly Instrument[];
  readonly settings: BacktestSettings;
};

/** One value for each set. */
export type SweepColumns = {
  readonly fills: Int32Array;
  readonly trades: Int32Array;
  /** Micro. */
  readonly finalEquity: Float64Array;
  /** A fraction, positive: the deepest fall of equity from its peak. */
  readonly maxDrawdown: Float64Array;
};

/**
 * What every worker is told of a sweep, once. Results and counters lie in shared memory: each worker takes the next
 * chunk by itself, and the asking thread only listens.
 */
export type ToWorker = {
  readonly sweep: number;
  readonly task: SweepTask;
  readonly sets: readonly ParameterSet[];
  readonly chunk: number;
  /** Whether somebody wants to hear of each chunk that is done: a message costs the asking thread a turn. */
  readonly reports: boolean;
  /** By COUNTERS. */
  readonly counters: Int32Array;
  readonly columns: SweepColumns;
};

export const COUNTERS = {
  /** The first set that nobody has taken. */
  next: 0,
  /** 1 once no further chunk is wanted. */
  stop: 1,
  /** Sets that are done. */
  done: 2,
} as const;

export type FromWorker = { readonly sweep: number } & (
  | { readonly type: 'passed' }
  | { readonly type: 'ended' }
  /** The paths begin with the number of the set. */
  | { readonly type: 'refused'; readonly errors: readonly DefinitionError[] }
  | { readonly type: 'failed'; readonly message: string }
);
