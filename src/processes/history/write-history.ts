// Bars into the files of one series. The records know each file before it takes its place and after, so that a stop at
// any moment leaves a store whose every byte can be told from a changed one.
import type { Bar, BarInterval } from '#engine/market/instrument.ts';
import type { HistoryStore, PreparedPeriod } from '#ports/market-history.ts';
import type { BarKey } from '#records/market/bar-key.ts';
import { listHistoryFiles, listHistoryNames, writeHistoryHead } from '#records/market/history-heads.ts';
import type { Database } from '#records/postgres/database.ts';
import { historyFaultReason } from '#rules/reasons/history-reason.ts';
import type { Instant, IsoDate } from '#units/instant.ts';

export type HistoryTools = { readonly database: Database; readonly store: HistoryStore };

export type WrittenBars = {
  readonly added: number;
  readonly same: number;
  readonly revised: readonly IsoDate[];
};

/** A sentence for the person about one series; the others go on. */
export class HistoryStop extends Error {}

/** Throws HistoryStop when a file of the series is not the one that was written. The bars oldest first. */
export async function writeHistory(
  { database, store }: HistoryTools,
  key: BarKey<BarInterval>,
  { bars, knownAt }: { readonly bars: readonly Bar[]; readonly knownAt: Instant },
): Promise<WrittenBars> {
  const { symbol, interval, source } = key;
  const files = await listHistoryFiles(database, { source, interval, symbols: [symbol] });
  const names = await listHistoryNames(database, key);
  const prepared = store.prepare(key, { files, names, bars, knownAt });
  if (!prepared.ok) throw new HistoryStop(historyFaultReason(prepared.fault));
  for (const { file, revised } of prepared.value) {
    if (file === null) continue;
    const head = { ...file, revised: revised.length, knownAt };
    await writeHistoryHead(database, key, { ...head, state: 'prepared' });
    store.put(file);
    await writeHistoryHead(database, key, { ...head, state: 'written' });
  }
  return sumOf(prepared.value);
}

function sumOf(periods: readonly PreparedPeriod[]): WrittenBars {
  return {
    added: periods.reduce((sum, { added }) => sum + added, 0),
    same: periods.reduce((sum, { same }) => sum + same, 0),
    revised: periods.flatMap(({ revised }) => revised),
  };
}
