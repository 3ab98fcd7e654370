import type { BarSeries } from '#engine/market/bar-series.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import type { Execution } from '#engine/research/execution.ts';
import type { DefinitionError } from '#engine/strategy/reader.ts';
import type { ParameterSet } from '#engine/sweep/variant-definition.ts';
import type { SweepColumns } from '#engine/sweep/sweep.ts';

/** What every worker is told of a sweep before its first chunk. */
export type SweepTask = {
  /** A strategy definition, not yet parsed; each set puts its numbers in. */
  readonly template: unknown;
  readonly series: readonly BarSeries[];
  readonly instrument: Instrument;
  readonly execution: Execution;
};

export type ToWorker =
  | { readonly type: 'begin'; readonly sweep: number; readonly task: SweepTask }
  | {
      readonly type: 'chunk';
      readonly sweep: number;
      readonly from: number;
      readonly sets: readonly ParameterSet[];
    };

/** `from` is the number of the chunk's first set in the whole sweep. */
export type FromWorker = { readonly sweep: number; readonly from: number } & ChunkAnswer;

export type ChunkAnswer =
  | { readonly type: 'done'; readonly columns: SweepColumns }
  | { readonly type: 'refused'; readonly errors: readonly DefinitionError[] }
  | { readonly type: 'failed'; readonly message: string };
