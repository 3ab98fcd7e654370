import type {
  HistoryAnswer,
  HistoryFile,
  HistoryKey,
  HistoryRange,
  StoredSeries,
} from '#ports/market-history.ts';

export type ToHistory = {
  readonly id: number;
  readonly key: HistoryKey;
  readonly files: readonly HistoryFile[];
  readonly range: HistoryRange;
};

/** `failure`: the read threw; null when there is an answer. */
export type FromHistory =
  | { readonly id: number; readonly answer: HistoryAnswer<StoredSeries> }
  | { readonly id: number; readonly failure: Error };
