import type { BarSeries } from '#engine/market/bar-series.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { Execution } from '#engine/research/execution.ts';
import type { DefinitionError } from '#engine/strategy/reader.ts';
import type { SweepRows } from '#engine/sweep/plan-sweep.ts';
import type { SweepColumns } from '#engine/sweep/sweep.ts';

/** What a sweep runs. */
export type SweepTask = {
  /** A strategy definition, not yet parsed; each set puts its numbers in. */
  readonly template: unknown;
  readonly series: readonly BarSeries[];
  readonly instrument: Instrument;
  readonly execution: Execution;
};

/**
 * What every worker is told of a sweep, once. Numbers, results and counters lie in shared memory: each worker takes the
 * next chunk by itself, and the asking thread only listens.
 */
export type ToWorker = {
  readonly sweep: number;
  readonly task: SweepTask;
  readonly sets: SweepRows;
  /** The sets in the order in which chunks of them are taken. */
  readonly order: Int32Array;
  readonly chunk: number;
  /** Whether somebody wants to hear of each chunk that is done: a message costs the asking thread a turn. */
  readonly reports: boolean;
  /** By COUNTERS. */
  readonly counters: Int32Array;
  /** One value for each set. */
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
