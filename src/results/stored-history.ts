// The bars that results are computed from: years from the files of the history where it holds the instrument, the newest
// ones from the records, and all of them from the records for every other instrument. The bits are the same either way.
import { appendBars, type BarSeries } from '#engine/market/bar-series.ts';
import { actionsUntil } from '#engine/market/corporate-action.ts';
import type { HistoryFile, HistoryStore } from '#ports/market-history.ts';
import { listBars } from '#records/market/bars.ts';
import { listCorporateActions } from '#records/market/corporate-actions.ts';
import { listHistoryFiles } from '#records/market/history-heads.ts';
import type { BarSource } from '#records/market/instruments.ts';
import type { Database } from '#records/postgres/database.ts';
import { historyFaultReason } from '#rules/reasons/history-reason.ts';
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type Instant } from '#units/instant.ts';
import type { ResultHistory } from './renew-result.ts';

type Opened = {
  readonly database: Database;
  readonly store: HistoryStore;
  readonly source: BarSource;
  /** For instruments that the history does not hold. */
  readonly records: ResultHistory;
};

export function storedHistory({ database, store, source, records }: Opened): ResultHistory {
  const loaded = new Map<Symbol, Loaded>();
  return {
    async load(symbols, asOf) {
      const missing = symbols.filter((symbol) => !loaded.has(symbol));
      const held = await filesOf(database, source, missing);
      await records.load(
        missing.filter((symbol) => !held.has(symbol)),
        asOf,
      );
      for (const symbol of held.keys()) {
        loaded.set(symbol, await load({ database, store, source, symbol }, held.get(symbol)!, asOf));
      }
    },
    series: (symbol) => loaded.get(symbol)?.series ?? records.series(symbol),
    heads: (symbols) => Object.assign({}, ...symbols.map((symbol) => loaded.get(symbol)?.heads ?? {})),
  };
}

type Loaded = { readonly series: BarSeries; readonly heads: { readonly [file: string]: string } };

type Place = Omit<Opened, 'records'> & { readonly symbol: Symbol };

async function load(place: Place, files: readonly HistoryFile[], asOf: Instant): Promise<Loaded> {
  const { database, symbol, source } = place;
  const key = { symbol, interval: '1d', source } as const;
  const stored = await readStored(place, files, asOf);
  const { lastDate } = stored;
  const range = lastDate === null ? { asOf } : { asOf, from: addDays(lastDate, 1) };
  const newer = await listBars(database, key, range);
  const columns = appendBars(stored.series, newer);
  const happened = actionsUntil(
    await listCorporateActions(database, symbol),
    newer.at(-1)?.date ?? lastDate ?? undefined,
  );
  return {
    series: { ...columns, ...(happened.length > 0 && { actions: happened }) },
    heads: stored.heads,
  };
}

/** A file that a command has just written has a seal that the list did not know yet: then the list is read once more. */
async function readStored(
  { database, store, source, symbol }: Place,
  files: readonly HistoryFile[],
  asOf: Instant,
) {
  const key = { symbol, interval: '1d', source } as const;
  const first = store.series(key, files, { asOf });
  const read = first.ok
    ? first
    : store.series(key, (await filesOf(database, source, [symbol])).get(symbol) ?? [], { asOf });
  if (!read.ok) throw new Error(historyFaultReason(read.fault));
  return read.value;
}

async function filesOf(
  database: Database,
  source: BarSource,
  symbols: readonly Symbol[],
): Promise<ReadonlyMap<Symbol, readonly HistoryFile[]>> {
  if (symbols.length === 0) return new Map();
  return Map.groupBy(
    await listHistoryFiles(database, { source, interval: '1d', symbols }),
    ({ symbol }) => symbol,
  );
}
