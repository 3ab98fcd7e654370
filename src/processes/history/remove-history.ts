// Takes the files of a symbol out of the history. They are moved, not deleted, and the records remember them.
import { listHistoryFiles, writeHistoryHead } from '#records/market/history-heads.ts';
import type { BarSource } from '#records/market/instruments.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { HistoryTools } from './write-history.ts';

/** A line for each file; empty when there were none. */
export async function removeHistory(
  { database, store }: HistoryTools,
  { symbol, source }: { readonly symbol: Symbol; readonly source: BarSource },
): Promise<string[]> {
  const lines: string[] = [];
  for (const file of await listHistoryFiles(database, { source, symbols: [symbol] })) {
    const seal = file.seals[0]!;
    await writeHistoryHead(database, file, { ...file, seal, revised: 0, state: 'removed' });
    const place = store.setAside(file.file);
    lines.push(`${file.file}: removed${place === null ? ', and was not on the disk' : `, kept as ${place}`}`);
  }
  return lines;
}
