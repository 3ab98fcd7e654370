// Years of bars in files, next to the newest ones in the records. What was written is never changed: a bar that is
// corrected is written again in a later row group, so that a reader can ask for what was known at an earlier time. Every
// answer comes from files of which every byte was checked.
import type { HistoryFault } from '#engine/market-data/history-fault.ts';
import type { BarSeries } from '#engine/market/bar-series.ts';
import type { Bar, BarInterval } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { Instant, IsoDate } from '#units/instant.ts';

export type HistoryKey = { readonly source: string; readonly interval: BarInterval; readonly symbol: Symbol };

/** A file of the store, by its name in the folder, and the seals that it may have: two while a write is under way. */
export type HistoryFile = {
  readonly file: string;
  readonly seals: readonly string[];
  /** Its first write may not have reached the disk. */
  readonly mayBeMissing?: boolean;
  /** How many the newest of these seals ends. */
  readonly rowGroups?: number;
};

export type HistoryAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly fault: HistoryFault };

export type HistoryRange = {
  /** Bars that closed after this are left out. */
  readonly asOf?: Instant;
  /** Only what had been written by then. */
  readonly knownAt?: Instant;
  /** Only so many, the oldest. */
  readonly first?: number;
};

export type StoredSeries = {
  readonly series: BarSeries;
  /** The trading day of the last bar. */
  readonly lastDate: IsoDate | null;
  /** The seal of each file that was read, by its name. */
  readonly heads: { readonly [file: string]: string };
};

/** What one write added to a file. */
export type KnownGroup = {
  /** Counted from 1. */
  readonly rowGroup: number;
  readonly bars: number;
  readonly knownAt: Instant;
  readonly from: IsoDate;
  readonly to: IsoDate;
};

/** A file that is ready to take the place of the one of its name. */
export type PreparedFile = {
  readonly file: string;
  readonly bytes: Buffer;
  readonly seal: string;
  readonly rowGroups: number;
  readonly bars: number;
};

export type PreparedPeriod = {
  readonly added: number;
  /** Bars that are known with the very same numbers. */
  readonly same: number;
  /** Days of bars that are known with other numbers; the new ones stand from now on. */
  readonly revised: readonly IsoDate[];
  /** Null when there is nothing new. */
  readonly file: PreparedFile | null;
};

/** Calls block while they read and write: they belong in a worker thread or a command, never where requests are served. */
export type HistoryStore = {
  series(key: HistoryKey, files: readonly HistoryFile[], range?: HistoryRange): HistoryAnswer<StoredSeries>;
  bars(files: readonly HistoryFile[], range?: HistoryRange): HistoryAnswer<readonly Bar[]>;
  groups(file: HistoryFile): HistoryAnswer<readonly KnownGroup[]>;
  /** Null when every byte is the one that was written. */
  check(file: HistoryFile): HistoryFault | null;
  /** Compares with all files of the series; the bars oldest first. Writes nothing. */
  prepare(
    key: HistoryKey,
    asked: {
      readonly files: readonly HistoryFile[];
      /** Names that files of the series have or had: a new file takes another. */
      readonly names: readonly string[];
      readonly bars: readonly Bar[];
      readonly knownAt: Instant;
    },
  ): HistoryAnswer<readonly PreparedPeriod[]>;
  /** Whole or not at all, whenever the machine stops. */
  put(file: PreparedFile): void;
  /** Out of the way of a new import, and kept. Answers where it is; null when it was gone already. */
  setAside(file: string): string | null;
};

/** The same read by another thread, for a process that serves requests meanwhile. */
export type HistorySeries = (
  key: HistoryKey,
  files: readonly HistoryFile[],
  range: HistoryRange,
) => Promise<HistoryAnswer<StoredSeries>>;
