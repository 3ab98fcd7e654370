import type { ParameterSet } from '#engine/backtest/variants.ts';
import type { SweepTask, VariantRun } from './run-variant.ts';

/** What every thread receives for a sweep, once: each takes the next chunk of the sets by itself. */
export type ToWorker = {
  readonly sweep: number;
  readonly task: SweepTask;
  readonly sets: readonly ParameterSet[];
  readonly chunk: number;
  /** In shared memory: the first set that no thread has taken. */
  readonly next: Int32Array;
};

export type FromWorker = { readonly sweep: number } & (
  | { readonly type: 'ran'; readonly from: number; readonly runs: readonly VariantRun[] }
  | { readonly type: 'ended' }
  | { readonly type: 'failed'; readonly error: Error }
);
