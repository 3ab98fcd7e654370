// What can be wrong with a file of the market history.
import type { IsoDate } from '#units/instant.ts';

/**
 * missing: it was written and is gone. not_parquet: it is no Parquet file of this store. changed: a byte is not the one
 * that was written. unknown: it is whole, and not the one that was written last, or none that was ever written.
 */
export type HistoryFault = {
  readonly file: string;
  readonly code: 'missing' | 'not_parquet' | 'changed' | 'unknown';
  /** Counted from 1; 0 is the footer; null where the file as a whole is meant. */
  readonly rowGroup: number | null;
  /** Of the bars of that row group, where they can still be read. */
  readonly days: { readonly from: IsoDate; readonly to: IsoDate } | null;
};
